// POST /api/channels/{id}/interactions: the recorded interaction. The errors are in interaction-errors.test.ts.
import { describe, expect, test } from 'vitest'
import { ISO } from '../support/cards.ts'
import { runService } from '../support/running.ts'
import { buildScene, stateWith } from '../support/scene.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY = 24 * 3_600_000

const service = await runService({}, { now: () => NOW })
const scene = await buildScene(service)

describe('the record of an interaction', () => {
  test('an interaction records a click with the button’s label, and the card’s state with the entered values', async () => {
    const values = { note: 'now', region: 'eu', teams: ['red', 'blue'], canary: false, text: 'x', gone: 1 }
    const { status, body } = await scene.click({ values })
    expect(status).toBe(201)
    expect(body).toStrictEqual({
      interaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      channel_id: scene.channel_id,
      card_id: scene.card_id,
      timestamp: '2026-03-01T12:00:00.000Z',
      trigger: { type: 'button_click', button_id: 'go', label: 'Deploy' },
      card_state: stateWith({ note: 'now', region: 'eu', teams: ['red', 'blue'], canary: false }),
    })
  })

  test.each([
    ['note', 'input', 'soon'],
    ['region', 'select', 'us'],
    ['region', 'select', null],
    ['teams', 'multiselect', []],
    ['canary', 'toggle', false],
  ])(
    'an interaction records a change of %s with block, type, value, and the card’s new state',
    async (block_id, block_type, value) => {
      const { card_id } = scene
      const trigger = { type: 'input_change', block_id, value }
      const { status, body } = await scene.interact({ card_id, trigger })
      expect(status).toBe(201)
      expect(body.trigger).toStrictEqual({ type: 'input_change', block_id, block_type, value })
      expect(body.card_id).toBe(card_id)
      expect(body.card_state).toStrictEqual(stateWith({ [block_id]: value }))
    },
  )

  test('an interaction records a change with the other entered values; the changed value wins over `values`', async () => {
    const { body } = await scene.interact({
      card_id: scene.card_id,
      trigger: { type: 'input_change', block_id: 'region', value: 'us' },
      values: { note: 'draft', region: 'eu' },
    })
    const entered = Object.fromEntries((body.card_state ?? []).map(entry => [entry.id, entry.value]))
    expect(entered).toMatchObject({ note: 'draft', region: 'us', canary: true })
  })

  test('an interaction records a header action with its id and label, without a card', async () => {
    const { status, body } = await scene.interact({
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

  test('an interaction records a reply with its text as typed, without a card', async () => {
    const text = '  Yes, \n please 👍 '
    const { status, body } = await scene.reply(text)
    expect(status).toBe(201)
    expect(body).toMatchObject({ card_id: null, card_state: null, trigger: { type: 'reply', text } })
    expect((await scene.reply('😀'.repeat(10_000))).status).toBe(201)
  })

  test('an interaction changes nothing on the card: entered values are not stored there', async () => {
    const read = () => scene.account.key('GET', `/channels/${scene.channel_id}/cards/${scene.card_id}`)
    const before = await read()
    await scene.click({ values: { note: 'mine' } })
    expect((await read()).body).toStrictEqual(before.body)
  })

  test('an interaction records labels and block types of the card, not those that the viewer sends', async () => {
    const trigger = { type: 'button_click', button_id: 'go', label: 'Mine' }
    const { body } = await scene.click({ trigger, card_state: [], label: 'Mine' })
    expect(body.trigger).toStrictEqual({ type: 'button_click', button_id: 'go', label: 'Deploy' })
    expect(body.card_state).toHaveLength(10)
  })
})

describe('the timestamp', () => {
  const at = (ms: number) => new Date(ms).toISOString()
  const received = at(NOW)
  test.each([
    ['a minute ago is kept', at(NOW - 60_000), at(NOW - 60_000)],
    ['now is kept', at(NOW), at(NOW)],
    ['30 days ago is kept', at(NOW - 30 * DAY), at(NOW - 30 * DAY)],
    ['another offset is converted to UTC', '2026-03-01T12:30:00+01:00', '2026-03-01T11:30:00.000Z'],
    ['more than 30 days ago is the time of receipt', at(NOW - 30 * DAY - 1), received],
    ['the future is the time of receipt', at(NOW + 1), received],
    ['a missing one is the time of receipt', undefined, received],
    ['one without an offset is the time of receipt', '2026-03-01T11:00:00', received],
    ['text is the time of receipt', 'yesterday', received],
    ['an impossible time is the time of receipt', '2026-02-30T99:00:00Z', received],
  ])('as a timestamp, %s', async (_, timestamp, kept) => {
    const { status, body } = await scene.reply('hello', { timestamp })
    expect(status).toBe(201)
    expect(body.timestamp).toBe(kept)
    expect(body.timestamp).toMatch(ISO)
  })
})
