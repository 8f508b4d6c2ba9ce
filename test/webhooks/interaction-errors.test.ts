// POST /api/channels/{id}/interactions: every error, to the letter.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { failed, invalid, notFound } from '../support/errors.ts'
import { countInteractions } from '../support/interactions.ts'
import { runService } from '../support/running.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { callTo } from '../support/service.ts'

const service = await runService()
const scene = await buildScene(service)
const viewed = await buildScene(service, { mode: 'view' })

const click = (button_id: string) => ({ type: 'button_click', button_id })
const change = (block_id: string, value?: unknown) => ({ type: 'input_change', block_id, value })
const action = (action_id: string) => ({ type: 'header_action', action_id })
const reply = (text: unknown) => ({ type: 'reply', text })
const unknownType = 'trigger.type must be one of button_click, header_action, input_change, reply'
const tooLong = 'x'.repeat(10_001)
const go = { type: 'button', buttons: [{ id: 'go', label: 'Go' }] }

const expectError = async (at: Scene, body: object, status: number, message: string) =>
  expect(await at.interact(body)).toMatchObject(failed(status, message))
const post = (id: string, body: object | string) =>
  callTo(`${service.url}/api`)('POST', `/channels/${id}/interactions`, body)

describe('a trigger on a card', () => {
  test.each<[string, object, string]>([
    ['a missing button id', { type: 'button_click' }, 'trigger.button_id is required'],
    ['a disabled button', click('off'), 'Button is disabled'],
    ['a block without a value', change('text', 'x'), 'block "text" is not an input'],
    ['a missing block id', { type: 'input_change', value: 'x' }, 'trigger.block_id is required'],
    ['a missing value', change('note'), 'trigger.value is required'],
    ['a number', change('note', 1), 'trigger.value must be a string, a boolean, an array of strings or null'],
    ['a value of the wrong type', change('note', true), 'trigger.value must be a string'],
    ['an unknown option', change('region', 'asia'), 'trigger.value must be one of the options'],
    ['a value too long', change('note', 'x'.repeat(21)), 'trigger.value must be at most 20 characters'],
  ])('a trigger on a card with %s returns 400', async (_, trigger, error) => {
    await expectError(scene, { card_id: scene.card_id, trigger }, 400, error)
  })

  test.each<[string, unknown, string]>([
    ['unknown options', { teams: ['green'] }, 'values.teams must hold only values of the options'],
    ['repeated options', { teams: ['red', 'red'] }, 'teams must not repeat a value'],
    ['half a character', { note: '\ud800' }, 'values.note must be well-formed Unicode'],
    ['an array', [], 'values must be an object'],
    ['null', null, 'values must be an object'],
  ])('a trigger on a card with %s as values returns 400', async (_, values, error) => {
    await expectError(scene, { card_id: scene.card_id, trigger: click('go'), values }, 400, error)
  })

  test.each<[string, object, string]>([
    ['an unknown button', click('stop'), 'Button not found'],
    ['a block instead of a button', click('buttons'), 'Button not found'],
    ['an unknown block', change('gone', 'x'), 'Block not found'],
  ])('a trigger on a card with %s returns 404', async (_, trigger, error) => {
    await expectError(scene, { card_id: scene.card_id, trigger }, 404, error)
  })

  test.each([
    ['a click', click('go')],
    ['a change', change('note', 'x')],
  ])('%s without a card returns 400', async (_, trigger) => {
    await expectError(scene, { trigger }, 400, 'card_id is required')
    await expectError(scene, { trigger, card_id: null }, 400, 'card_id is required')
  })

  test('a trigger on an unknown card, or another channel’s, returns 404', async () => {
    for (const card_id of [randomUUID(), 'x', viewed.card_id])
      await expectError(scene, { card_id, trigger: click('go') }, 404, 'Card not found')
  })
})

describe('a body', () => {
  test.each<[string, object, string]>([
    ['no trigger', {}, 'trigger is required'],
    ['a trigger without a type', { trigger: {} }, 'trigger.type is required'],
    ['an unknown type', { trigger: { type: 'test' } }, unknownType],
    ['an action without an id', { trigger: { type: 'header_action' } }, 'trigger.action_id is required'],
    ['an empty reply', { trigger: reply('') }, 'text is required'],
    ['a blank reply', { trigger: reply(' \n\t ') }, 'text is required'],
    ['a reply without text', { trigger: { type: 'reply' } }, 'text is required'],
    ['a reply too long', { trigger: reply(tooLong) }, 'trigger.text must be at most 10000 characters'],
    ['a number as reply', { trigger: reply(1) }, 'trigger.text must be a string'],
    ['NUL in a reply', { trigger: reply('a\0b') }, 'trigger.text must not contain NUL'],
    ['an invalid id', { trigger: reply('x'), interaction_id: '1' }, 'interaction_id must be a UUID'],
    ['a number as timestamp', { trigger: reply('x'), timestamp: 1 }, 'timestamp must be a string'],
  ])('a body with %s returns 400', async (_, body, error) => {
    await expectError(scene, body, 400, error)
  })

  test('a body with an unknown action, or another channel’s, returns 404', async () => {
    for (const id of [randomUUID(), viewed.action_id])
      await expectError(scene, { trigger: action(id) }, 404, 'Action not found')
  })

  test('a body that isn’t JSON, or has another content type, returns 400', async () => {
    const asText = await scene.interact({}, { 'Content-Type': 'text/plain' })
    expect(asText).toMatchObject(invalid('Content-Type must be application/json'))
    expect(await post(scene.channel_id, '{')).toMatchObject(invalid('Invalid JSON'))
  })

  test('a body for an unknown channel returns 404', async () => {
    for (const id of [randomUUID(), 'x']) expect(await post(id, {})).toMatchObject(notFound('Channel'))
  })
})

test('an interaction that fails is not recorded', async () => {
  const count = () => countInteractions(service.sql, scene.channel_id)
  const before = await count()
  await scene.interact({ card_id: scene.card_id, trigger: click('off') })
  await scene.interact({ trigger: reply('') })
  expect(await count()).toBe(before)
})

describe('blocks of a card', () => {
  const buildForm = (...blocks: object[]) => buildScene(service, { blocks })

  test('blocks of a card without send_on_change send no change', async () => {
    const form = await buildForm({ type: 'input', id: 'name', label: 'Name' })
    const body = { card_id: form.card_id, trigger: change('name', 'Ann') }
    await expectError(form, body, 400, 'block "name" does not have send_on_change')
  })

  test('blocks of a card that are required are named by their label, or else their id', async () => {
    const form = await buildForm(
      { type: 'input', id: 'name', label: 'Your name', required: true },
      { type: 'multiselect', id: 'teams', options: ['red'], required: true },
      go,
    )
    for (const [values, error] of [
      [{}, 'Your name is required'],
      [{ name: '  ' }, 'Your name is required'],
      [{ name: 'Ann' }, 'teams is required'],
    ] as const)
      expect(await form.click({ values })).toMatchObject(invalid(error))
    expect((await form.click({ values: { name: 'Ann', teams: ['red'] } })).status).toBe(201)
  })

  test('blocks of a card with a repeated option are named by their label', async () => {
    const teams = { type: 'multiselect', id: 'teams', label: 'Teams', options: ['a'], send_on_change: true }
    const form = await buildForm(teams)
    const body = { card_id: form.card_id, trigger: change('teams', Array(60_000).fill('a')) }
    await expectError(form, body, 400, 'Teams must not repeat a value')
  })

  test('blocks of a card that are disabled take no value', async () => {
    const name = { type: 'input', id: 'name', label: 'Name', value: 'Ann', disabled: true }
    const form = await buildForm({ ...name, send_on_change: true }, go)
    const { card_id } = form
    const clicked = { card_id, trigger: click('go'), values: { name: 'Bob' } }
    await expectError(form, clicked, 400, 'values.name is disabled')
    await expectError(form, { card_id, trigger: change('name', 'Bob') }, 400, 'trigger.value is disabled')
    expect((await form.click()).body.card_state?.[0]).toMatchObject({ value: 'Ann' })
  })
})

describe('mode view', () => {
  const none = 'Channel is not interactive'
  test.each<[string, () => object, number, string]>([
    ['a reply', () => ({ trigger: reply('x') }), 403, none],
    ['a click', () => ({ card_id: viewed.card_id, trigger: click('go') }), 403, none],
    ['a disabled button', () => ({ card_id: viewed.card_id, trigger: click('off') }), 403, none],
    ['an unknown card', () => ({ card_id: randomUUID(), trigger: click('go') }), 404, 'Card not found'],
    ['an unknown button', () => ({ card_id: viewed.card_id, trigger: click('x') }), 404, 'Button not found'],
    ['a blank reply', () => ({ trigger: reply(' ') }), 400, 'text is required'],
    ['an unknown action', () => ({ trigger: action('x') }), 404, 'Action not found'],
  ])('in mode view, %s returns its error', async (_, body, status, error) => {
    await expectError(viewed, body(), status, error)
  })
})
