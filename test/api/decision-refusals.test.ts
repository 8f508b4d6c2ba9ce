// Refused presses: the status, code, message and decision that people and agents get. A refused press changes nothing.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import type { InteractionList } from '../../shared/interaction.ts'
import { createAccount, createTestKey, withKey } from '../support/account.ts'
import { type Asked, ask, decisionOf } from '../support/decisions.ts'
import { failed, invalid, notFound } from '../support/errors.ts'
import { countInteractions } from '../support/interactions.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import type { Answer } from '../support/service.ts'

let now = Date.now
const service = await runService({}, { now: () => now() })
const scene = await buildScene(service)
const { account, channel_id } = scene
const { key } = account
const agent = withKey(service.url, (await createTestKey(account.session, { scope: 'write' })).key)
const { cookie: strangers_cookie } = await createAccount(service)

type Press = { button_id?: string; comment?: string; seen?: string }
const read = async (path: string) => (await key<FullDecision>('GET', path)).body
const cardPathIn = (channel: string, { card_id }: Asked) => `/channels/${channel}/cards/${card_id}`
const cardPath = (asked: Asked) => cardPathIn(channel_id, asked)

function pressAsPerson({ card_id, id }: Asked, { seen, ...press }: Press, Cookie = '') {
  const trigger = { type: 'button_click', button_id: 'yes', decision_id: id, ...press }
  return scene.interact({ card_id, trigger, seen }, { Cookie })
}
const pressAsAgent = ({ path }: Asked, press: Press) => agent('POST', path, { button_id: 'yes', ...press })

const PRESSERS = {
  people: {
    press: pressAsPerson,
    /** The form of the card's current decision that they get. */
    shown: async (asked: Asked) => decisionOf((await key<Card>('GET', cardPath(asked))).body),
  },
  agents: { press: pressAsAgent, shown: (asked: Asked) => read(`${cardPath(asked)}/decision`) },
}

/** Expects that the press of a question changes nothing. */
async function expectRefused(asked: Asked, press: () => Promise<Answer>, refusal: object): Promise<void> {
  const state = async () => [
    await read(`${cardPath(asked)}/decision`),
    await countInteractions(service.sql, channel_id),
  ]
  const before = await state()
  const { status, body } = await press()
  expect({ status, body }).toStrictEqual(refusal)
  expect(await state()).toEqual(before)
}

const decideIt = (asked: Asked) => pressAsPerson(asked, { button_id: 'no' }, account.cookie)
const withdraw = ({ path }: Asked) => key('DELETE', path)
const patch = (asked: Asked, id: string, patch: object) =>
  key('PATCH', cardPath(asked), { blocks: [{ id, patch }] })

async function expire({ path }: Asked): Promise<void> {
  now = () => Date.now() + 61_000
  await read(path)
  now = Date.now
}

async function askAgain(asked: Asked): Promise<void> {
  await withdraw(asked)
  await patch(asked, 'ask', { decision: { reopen: true } })
}

type Row = [code: string, error: string, decision: object, before: (asked: Asked) => unknown, press?: Press]
const conflicts: Row[] = [
  ['already_decided', 'Already decided', {}, decideIt],
  ['expired', 'Decision has expired', { expires_in: 60 }, expire],
  ['cancelled', 'Decision was cancelled', {}, withdraw],
  ['asked_again', 'The question was asked again', {}, askAgain],
  [
    'card_changed',
    'The card has changed since it was shown',
    { if_changed: 'refuse' },
    asked => patch(asked, 'title', { content: 'Roll back?' }),
    { seen: '2026-11-22T14:00:00.000Z' },
  ],
]
const required = { comment: 'required' }
const wrong: [error: string, decision: object, press: Press][] = [
  ['comment is required', required, {}],
  ['comment is required', required, { comment: ' \n' }],
  ['comment is not asked for', {}, { comment: 'x' }],
  ['comment must be at most 2000 characters', required, { comment: 'a'.repeat(2_001) }],
  ['seen is required', { if_changed: 'refuse' }, {}],
  ['seen must be at most 64 characters', {}, { seen: 'x'.repeat(65) }],
]

describe.each(['people', 'agents'] as const)('a press by %s', of => {
  const { press, shown } = PRESSERS[of]

  test.each(conflicts)('a press gets 409 %s: %s', async (code, error, decision, before, sent = {}) => {
    const asked = await ask(key, channel_id, { agents: true, ...decision })
    await before(asked)
    const body = { error, code, decision: await shown(asked) }
    await expectRefused(asked, () => press(asked, sent), { status: 409, body })
  })

  test.each(wrong)('a press gets 400 %s', async (error, decision, sent) => {
    const asked = await ask(key, channel_id, { agents: true, ...decision })
    await expectRefused(asked, () => press(asked, sent), invalid(error))
  })

  test('a press gets 404 for an unknown button', async () => {
    const asked = await ask(key, channel_id, { agents: true })
    await expectRefused(asked, () => press(asked, { button_id: 'maybe' }), notFound('Button'))
  })
})

test('of several faults, a press is told the first in the order of the checks', async () => {
  const { channel_id, interact } = await buildScene(service, { account, mode: 'view' })
  const asked = await ask(key, channel_id, { who: 'owner', comment: 'required', if_changed: 'refuse' })
  const change = async (id: string, fields: object) =>
    decisionOf(
      (await key<Card>('PATCH', cardPathIn(channel_id, asked), { blocks: [{ id, patch: fields }] })).body,
    )
  const reopen = () => change('ask', { decision: { reopen: true } })
  const disable = (disabled: boolean) => change('ask', { buttons: [{ id: 'yes', patch: { disabled } }] })
  await change('note', { required: true })
  await disable(true)
  await withdraw(asked)
  const { id: second } = (await reopen()) ?? {}
  await key('DELETE', `/channels/${channel_id}/decisions/${second}`)

  let card_id: string = randomUUID()
  let Cookie = ''
  const trigger = {
    type: 'button_click',
    button_id: 'maybe',
    decision_id: asked.id,
    comment: 'a'.repeat(2_001),
  }
  const more: { values: object; seen?: string } = { values: { note: 1 } }
  const steps: [fix: () => unknown, status: number, error: string][] = [
    [() => {}, 400, 'comment must be at most 2000 characters'],
    [() => (trigger.comment = ''), 404, 'Card not found'],
    [() => (card_id = asked.card_id), 404, 'Button not found'],
    [() => (trigger.button_id = 'yes'), 403, 'Channel is not interactive'],
    [() => key('PATCH', `/channels/${channel_id}`, { mode: 'interactive' }), 403, 'Sign in to decide'],
    [() => (Cookie = strangers_cookie), 403, 'You may not decide this'],
    [() => (Cookie = account.cookie), 409, 'The question was asked again'],
    [() => (trigger.decision_id = second ?? ''), 409, 'Decision was cancelled'],
    [async () => (trigger.decision_id = (await reopen())?.id ?? ''), 400, 'Button is disabled'],
    [() => disable(false), 400, 'values.note must be a string'],
    [() => (more.values = { note: '' }), 400, 'Note is required'],
    [() => (more.values = { note: 'now' }), 400, 'comment is required'],
    [() => (trigger.comment = 'go'), 400, 'seen is required'],
    [() => (more.seen = '2026-11-22T14:00:00.000Z'), 409, 'The card has changed since it was shown'],
  ]
  for (const [fix, status, error] of steps) {
    await fix()
    const answer = await interact({ card_id, trigger, ...more }, { Cookie })
    expect(answer).toMatchObject(failed(status, error))
  }
  const { body: card } = await key<Card>('GET', cardPathIn(channel_id, asked))
  more.seen = card.updated_at
  expect(await interact({ card_id, trigger, ...more }, { Cookie })).toMatchObject({ status: 201 })
})

describe('people who may not decide', () => {
  test.each([
    ['sign_in', 'Sign in to decide', { who: 'signed_in' }, (asked: Asked) => pressAsPerson(asked, {})],
    [
      'not_allowed',
      'You may not decide this',
      { who: 'owner' },
      (asked: Asked) => pressAsPerson(asked, {}, strangers_cookie),
    ],
  ] as const)('a person who may not decide gets 403 %s: %s', async (code, error, decision, press) => {
    const asked = await ask(key, channel_id, decision)
    const body = { error, code, decision: await PRESSERS.people.shown(asked) }
    await expectRefused(asked, () => press(asked), { status: 403, body })
  })

  test.each([
    ['agents', 'Agents may not decide this', {}, agent],
    ['own_question', 'The key that asked may not decide', { agents: true }, key],
  ] as const)('a person who may not decide gets 403 %s: %s', async (code, error, decision, call) => {
    const asked = await ask(key, channel_id, decision)
    const body = { error, code, decision: await read(asked.path) }
    await expectRefused(asked, () => call('POST', asked.path, { button_id: 'yes' }), { status: 403, body })
  })
})

test('an agent gets 404 for an unknown decision, and 400 without a button', async () => {
  const unknown = `/channels/${channel_id}/decisions/${randomUUID()}`
  expect(await agent('POST', unknown, { button_id: 'yes' })).toMatchObject(failed(404, 'Decision not found'))
  const { path } = await ask(key, channel_id, { agents: true })
  expect(await agent('POST', path, {})).toMatchObject(invalid('button_id is required'))
})

describe('an agent with a known interaction_id', () => {
  test.each([
    ['a reply', () => scene.reply('x')],
    ['a click that decided nothing', () => scene.click()],
    ['another decision', async () => decideIt(await ask(key, channel_id))],
    ['another channel', async () => (await buildScene(service)).reply('x')],
  ])('an agent with the interaction_id of %s gets 400', async (_, act) => {
    const { interaction_id } = (await act()).body
    const asked = await ask(key, channel_id, { agents: true })
    const press = () => agent('POST', asked.path, { button_id: 'yes', interaction_id })
    const refusal = { status: 400, body: { error: 'interaction_id is already in use' } }
    await expectRefused(asked, press, refusal)
  })

  test('an agent with the interaction_id of the expiry of its question gets 409 expired', async () => {
    const asked = await ask(key, channel_id, { agents: true, expires_in: 60 })
    await expire(asked)
    const path = `/channels/${channel_id}/interactions`
    const { interactions } = (await key<InteractionList>('GET', path)).body
    const interaction_id = interactions.find(({ decision }) => decision?.id === asked.id)?.interaction_id
    expect(interaction_id).toBeDefined()
    const body = { error: 'Decision has expired', code: 'expired', decision: await read(asked.path) }
    const press = () => agent('POST', asked.path, { button_id: 'yes', interaction_id })
    await expectRefused(asked, press, { status: 409, body })
  })
})
