// POST /api/channels/{id}/interactions: what is logged, and every refusal to the letter.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ISO } from '../support/cards.ts'
import { buildScene, type Refusal, type Scene } from '../support/scene.ts'
import { caller, startTestService, type TestService } from '../support/service.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY = 24 * 3_600_000

let service: TestService
let scene: Scene
let watched: Scene

beforeAll(async () => {
  service = await startTestService({}, { now: () => NOW })
  scene = await buildScene(service)
  watched = await buildScene(service, { mode: 'view' })
})
afterAll(() => service.stop())

const state = [
  { id: 'text', type: 'text', content: 'Ready?' },
  { id: 'badge', type: 'badge', label: 'Waiting', variant: 'pending' },
  { id: 'kv', type: 'kv', rows: [{ key: 'Host', value: 'web-1' }] },
  {
    id: 'buttons',
    type: 'button',
    buttons: [
      { id: 'go', label: 'Deploy', style: 'primary' },
      { id: 'off', label: 'Not now', style: 'primary' },
    ],
  },
  { id: 'image', type: 'image', url: 'https://example.com/graph.png', alt: 'A graph' },
  { id: 'line', type: 'divider' },
  { id: 'note', type: 'input', label: 'Note', value: '' },
  { id: 'region', type: 'select', label: 'Region', value: null },
  { id: 'teams', type: 'multiselect', value: ['red'] },
  { id: 'canary', type: 'toggle', label: 'Canary', value: true },
]

describe('what is logged', () => {
  test('a click: the button with its label, and the state of the card with what the viewer entered', async () => {
    const values = { note: 'now', region: 'eu', teams: ['red', 'blue'], canary: false, text: 'x', gone: 1 }
    const { status, body } = await scene.click({ values })
    expect(status).toBe(201)
    expect(body).toStrictEqual({
      interaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      channel_id: scene.channel_id,
      card_id: scene.card_id,
      timestamp: '2026-03-01T12:00:00.000Z',
      trigger: { type: 'button_click', button_id: 'go', label: 'Deploy' },
      card_state: [
        ...state.slice(0, 6),
        { id: 'note', type: 'input', label: 'Note', value: 'now' },
        { id: 'region', type: 'select', label: 'Region', value: 'eu' },
        { id: 'teams', type: 'multiselect', value: ['red', 'blue'] },
        { id: 'canary', type: 'toggle', label: 'Canary', value: false },
      ],
    })
  })

  test('the answer, the list and the log have the fields in the order of the specification', async () => {
    const { body } = await scene.click()
    const list = await scene.account.key<{ interactions: unknown[] }>(
      'GET',
      `/channels/${scene.channel_id}/interactions?limit=1`,
    )
    for (const one of [body, list.body.interactions[0]])
      expect(JSON.stringify(one)).toBe(
        JSON.stringify({
          interaction_id: body.interaction_id,
          channel_id: scene.channel_id,
          card_id: scene.card_id,
          timestamp: body.timestamp,
          trigger: { type: 'button_click', button_id: 'go', label: 'Deploy' },
          card_state: state,
        }),
      )
  })

  test.each([
    ['note', 'input', 'soon'],
    ['region', 'select', 'us'],
    ['region', 'select', null],
    ['teams', 'multiselect', []],
    ['canary', 'toggle', false],
  ])(
    'a change of %s: the block, its type, the value, and the state after it',
    async (block_id, block_type, value) => {
      const { status, body } = await scene.act({
        card_id: scene.card_id,
        trigger: { type: 'input_change', block_id, value },
      })
      expect(status).toBe(201)
      expect(body.trigger).toStrictEqual({ type: 'input_change', block_id, block_type, value })
      expect(body.card_id).toBe(scene.card_id)
      expect(body.card_state).toStrictEqual(
        state.map(entry => (entry.id === block_id ? { ...entry, value } : entry)),
      )
    },
  )

  test('a change tells what else the viewer entered, and its own value is the last word', async () => {
    const { body } = await scene.act({
      card_id: scene.card_id,
      trigger: { type: 'input_change', block_id: 'region', value: 'us' },
      values: { note: 'draft', region: 'eu' },
    })
    const entered = Object.fromEntries((body.card_state ?? []).map(entry => [entry.id, entry.value]))
    expect(entered).toMatchObject({ note: 'draft', region: 'us', canary: true })
  })

  test('a header action: its id and label, no card', async () => {
    const { status, body } = await scene.act({
      card_id: scene.card_id,
      trigger: { type: 'header_action', action_id: scene.action_id.toUpperCase() },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      card_id: null,
      card_state: null,
      trigger: { type: 'header_action', action_id: scene.action_id, label: 'Refresh' },
    })
  })

  test('a reply: its text as it was typed, no card', async () => {
    const text = '  Yes, \n please 👍 '
    const { status, body } = await scene.reply(text)
    expect(status).toBe(201)
    expect(body).toMatchObject({ card_id: null, card_state: null, trigger: { type: 'reply', text } })
    expect((await scene.reply('😀'.repeat(10_000))).status).toBe(201)
  })

  test('what a viewer enters is not stored on the card', async () => {
    const before = await scene.account.key('GET', `/channels/${scene.channel_id}/cards/${scene.card_id}`)
    await scene.click({ values: { note: 'mine' } })
    const after = await scene.account.key('GET', `/channels/${scene.channel_id}/cards/${scene.card_id}`)
    expect(after.body).toStrictEqual(before.body)
  })

  test('labels and block types are the card’s, whatever the viewer says', async () => {
    const { body } = await scene.click({
      trigger: { type: 'button_click', button_id: 'go', label: 'Mine' },
      card_state: [],
      label: 'Mine',
    })
    expect(body.trigger).toStrictEqual({ type: 'button_click', button_id: 'go', label: 'Deploy' })
    expect(body.card_state).toHaveLength(10)
  })
})

describe('timestamp', () => {
  const at = (ms: number) => new Date(ms).toISOString()
  const received = at(NOW)
  test.each([
    ['a minute ago is kept', at(NOW - 60_000), at(NOW - 60_000)],
    ['now is kept', at(NOW), at(NOW)],
    ['30 days ago is kept', at(NOW - 30 * DAY), at(NOW - 30 * DAY)],
    ['another offset is told in UTC', '2026-03-01T12:30:00+01:00', '2026-03-01T11:30:00.000Z'],
    ['more than 30 days ago is the time of receipt', at(NOW - 30 * DAY - 1), received],
    ['the future is the time of receipt', at(NOW + 1), received],
    ['none is the time of receipt', undefined, received],
    ['one without an offset is the time of receipt', '2026-03-01T11:00:00', received],
    ['words are the time of receipt', 'yesterday', received],
    ['a day that is none is the time of receipt', '2026-02-30T99:00:00Z', received],
  ])('%s', async (_, timestamp, kept) => {
    const { status, body } = await scene.reply('hello', { timestamp })
    expect(status).toBe(201)
    expect(body.timestamp).toBe(kept)
    expect(body.timestamp).toMatch(ISO)
  })
})

describe('refused', () => {
  const onCard = (trigger: object, more: object = {}) => ({ card_id: scene.card_id, trigger, ...more })
  const click = (button_id: string) => ({ type: 'button_click', button_id })
  const change = (block_id: string, value: unknown) => ({ type: 'input_change', block_id, value })

  test.each<[string, () => object, number, string]>([
    ['no trigger', () => ({}), 400, 'trigger is required'],
    ['a trigger of no type', () => ({ trigger: {} }), 400, 'trigger.type is required'],
    [
      'a trigger of another type',
      () => ({ trigger: { type: 'test' } }),
      400,
      'trigger.type must be one of button_click, header_action, input_change, reply',
    ],
    ['a click without a card', () => ({ trigger: click('go') }), 400, 'card_id is required'],
    [
      'a click with card_id null',
      () => ({ trigger: click('go'), card_id: null }),
      400,
      'card_id is required',
    ],
    ['a change without a card', () => ({ trigger: change('note', 'x') }), 400, 'card_id is required'],
    ['a card that is none', () => ({ trigger: click('go'), card_id: randomUUID() }), 404, 'Card not found'],
    ['a card id that is no UUID', () => ({ trigger: click('go'), card_id: 'x' }), 404, 'Card not found'],
    [
      'the card of another channel',
      () => ({ trigger: click('go'), card_id: watched.card_id }),
      404,
      'Card not found',
    ],
    ['a button that is none', () => onCard(click('stop')), 404, 'Button not found'],
    ['a click on what is a block', () => onCard(click('buttons')), 404, 'Button not found'],
    [
      'a click without a button',
      () => onCard({ type: 'button_click' }),
      400,
      'trigger.button_id is required',
    ],
    ['a disabled button', () => onCard(click('off')), 400, 'Button is disabled'],
    ['a block that is none', () => onCard(change('gone', 'x')), 404, 'Block not found'],
    ['a change of what is no input', () => onCard(change('text', 'x')), 400, 'block "text" is not an input'],
    [
      'a change without a block',
      () => onCard({ type: 'input_change', value: 'x' }),
      400,
      'trigger.block_id is required',
    ],
    ['a change without a value', () => onCard(change('note', undefined)), 400, 'trigger.value is required'],
    [
      'a value that is none',
      () => onCard(change('note', 1)),
      400,
      'trigger.value must be a string, a boolean, an array of strings or null',
    ],
    ['a value of the wrong type', () => onCard(change('note', true)), 400, 'trigger.value must be a string'],
    [
      'a value outside the options',
      () => onCard(change('region', 'asia')),
      400,
      'trigger.value must be one of the options',
    ],
    [
      'a value too long',
      () => onCard(change('note', 'x'.repeat(21))),
      400,
      'trigger.value must be at most 20 characters',
    ],
    [
      'entered outside the options',
      () => onCard(click('go'), { values: { teams: ['green'] } }),
      400,
      'values.teams must hold only values of the options',
    ],
    [
      'entered twice',
      () => onCard(click('go'), { values: { teams: ['red', 'red'] } }),
      400,
      'teams must not repeat a value',
    ],
    ['values that are no object', () => onCard(click('go'), { values: [] }), 400, 'values must be an object'],
    ['values null', () => onCard(click('go'), { values: null }), 400, 'values must be an object'],
    [
      'an action that is none',
      () => ({ trigger: { type: 'header_action', action_id: randomUUID() } }),
      404,
      'Action not found',
    ],
    [
      'the action of another channel',
      () => ({ trigger: { type: 'header_action', action_id: watched.action_id } }),
      404,
      'Action not found',
    ],
    [
      'an action without an id',
      () => ({ trigger: { type: 'header_action' } }),
      400,
      'trigger.action_id is required',
    ],
    ['an empty reply', () => ({ trigger: { type: 'reply', text: '' } }), 400, 'text is required'],
    ['a blank reply', () => ({ trigger: { type: 'reply', text: ' \n\t ' } }), 400, 'text is required'],
    ['a reply without text', () => ({ trigger: { type: 'reply' } }), 400, 'text is required'],
    [
      'a reply too long',
      () => ({ trigger: { type: 'reply', text: 'x'.repeat(10_001) } }),
      400,
      'trigger.text must be at most 10000 characters',
    ],
    [
      'a reply that is no text',
      () => ({ trigger: { type: 'reply', text: 1 } }),
      400,
      'trigger.text must be a string',
    ],
    [
      'NUL in a reply',
      () => ({ trigger: { type: 'reply', text: 'a\0b' } }),
      400,
      'trigger.text must not contain NUL',
    ],
    [
      'half a character in a value',
      () => onCard(click('go'), { values: { note: '\ud800' } }),
      400,
      'values.note must be well-formed Unicode',
    ],
    [
      'an interaction_id that is no UUID',
      () => ({ trigger: { type: 'reply', text: 'x' }, interaction_id: '1' }),
      400,
      'interaction_id must be a UUID',
    ],
    [
      'a timestamp that is no text',
      () => ({ trigger: { type: 'reply', text: 'x' }, timestamp: NOW }),
      400,
      'timestamp must be a string',
    ],
  ])('%s', async (_, body, status, error) => {
    expect(await scene.act<Refusal>(body())).toMatchObject({ status, body: { error } })
  })

  test('what is refused leaves no trace', async () => {
    const { interactions: before } = await log(scene)
    await scene.act(onCard(click('off')))
    await scene.act({ trigger: { type: 'reply', text: '' } })
    expect((await log(scene)).interactions).toHaveLength(before.length)
  })

  test('a block without send_on_change', async () => {
    const quiet = await buildScene(service, { blocks: [{ type: 'input', id: 'name', label: 'Name' }] })
    const body = { card_id: quiet.card_id, trigger: change('name', 'Ann') }
    expect(await quiet.act<Refusal>(body)).toMatchObject({
      status: 400,
      body: { error: 'block "name" does not have send_on_change' },
    })
  })

  test('a required field that is left empty, by its label or else its block id', async () => {
    const form = await buildScene(service, {
      blocks: [
        { type: 'input', id: 'name', label: 'Your name', required: true },
        { type: 'multiselect', id: 'teams', options: ['red'], required: true },
        { type: 'button', buttons: [{ id: 'go', label: 'Go' }] },
      ],
    })
    const refusal = async (values: object) => (await form.click<Refusal>({ values })).body.error
    expect(await refusal({})).toBe('Your name is required')
    expect(await refusal({ name: '  ' })).toBe('Your name is required')
    expect(await refusal({ name: 'Ann' })).toBe('teams is required')
    expect((await form.click({ values: { name: 'Ann', teams: ['red'] } })).status).toBe(201)
  })

  test('a change of a multiselect that repeats a value is refused with its label', async () => {
    const form = await buildScene(service, {
      blocks: [{ type: 'multiselect', id: 'teams', label: 'Teams', options: ['a'], send_on_change: true }],
    })
    const repeated = change('teams', Array(60_000).fill('a'))
    expect(await form.act<Refusal>({ card_id: form.card_id, trigger: repeated })).toMatchObject({
      status: 400,
      body: { error: 'Teams must not repeat a value' },
    })
  })

  test('a field may have the id __proto__, and its value counts', async () => {
    const form = await buildScene(service, {
      blocks: [
        { type: 'input', id: '__proto__', label: 'Name', required: true },
        { type: 'button', buttons: [{ id: 'go', label: 'Go' }] },
      ],
    })
    const values = JSON.parse('{"__proto__": "Ann"}')
    expect((await form.click({ values })).body.card_state?.[0]).toMatchObject({ value: 'Ann' })
  })

  test('a value for a disabled field', async () => {
    const form = await buildScene(service, {
      blocks: [
        { type: 'input', id: 'name', label: 'Name', value: 'Ann', disabled: true, send_on_change: true },
        { type: 'button', buttons: [{ id: 'go', label: 'Go' }] },
      ],
    })
    expect(await form.click<Refusal>({ values: { name: 'Bob' } })).toMatchObject({
      status: 400,
      body: { error: 'values.name is disabled' },
    })
    expect(await form.act<Refusal>({ card_id: form.card_id, trigger: change('name', 'Bob') })).toMatchObject({
      status: 400,
      body: { error: 'trigger.value is disabled' },
    })
    expect((await form.click()).body.card_state?.[0]).toMatchObject({ value: 'Ann' })
  })

  test.each<[string, () => object, number, string]>([
    [
      'everything that is right',
      () => ({ trigger: { type: 'reply', text: 'x' } }),
      403,
      'Channel is not interactive',
    ],
    [
      'a click',
      () => ({ card_id: watched.card_id, trigger: click('go') }),
      403,
      'Channel is not interactive',
    ],
    [
      'a disabled button',
      () => ({ card_id: watched.card_id, trigger: click('off') }),
      403,
      'Channel is not interactive',
    ],
    ['a card that is none', () => ({ card_id: randomUUID(), trigger: click('go') }), 404, 'Card not found'],
    [
      'a button that is none',
      () => ({ card_id: watched.card_id, trigger: click('x') }),
      404,
      'Button not found',
    ],
    ['a blank reply', () => ({ trigger: { type: 'reply', text: ' ' } }), 400, 'text is required'],
    [
      'an action that is none',
      () => ({ trigger: { type: 'header_action', action_id: 'x' } }),
      404,
      'Action not found',
    ],
  ])('in mode view: %s', async (_, body, status, error) => {
    expect(await watched.act<Refusal>(body())).toMatchObject({ status, body: { error } })
  })

  test('a channel that is none', async () => {
    const anyone = caller(`${service.url}/api`)
    for (const id of [randomUUID(), 'x'])
      expect(await anyone('POST', `/channels/${id}/interactions`, {})).toMatchObject({
        status: 404,
        body: { error: 'Channel not found' },
      })
  })

  test('a body that is no JSON, or of another content type', async () => {
    expect(await scene.act<Refusal>({}, { 'Content-Type': 'text/plain' })).toMatchObject({
      status: 400,
      body: { error: 'Content-Type must be application/json' },
    })
    const anyone = caller(`${service.url}/api`)
    expect(await anyone('POST', `/channels/${scene.channel_id}/interactions`, '{')).toMatchObject({
      status: 400,
      body: { error: 'Invalid JSON' },
    })
  })
})

async function log({ account, channel_id }: Scene) {
  const { body } = await account.session<{ interactions: unknown[] }>(
    'GET',
    `/channels/${channel_id}/interactions?limit=200`,
  )
  return body
}
