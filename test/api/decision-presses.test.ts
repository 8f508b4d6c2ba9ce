// Presses on a decision's buttons: who may decide, which press counts, and what it answers.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { publicIdOf } from '../../shared/public-id.ts'
import { createAccount, createTestKey, withKey } from '../support/account.ts'
import { readDocumentCards } from '../support/cards.ts'
import { ask, question } from '../support/decisions.ts'
import { failed, invalid } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const scene = await buildScene(service)
const { account, channel_id } = scene
const { key } = account
const stranger = await createAccount(service)
const owner_headers = { Cookie: account.cookie }
const stranger_headers = { Cookie: stranger.cookie }

type Trigger = { button_id?: string; decision_id?: string; comment?: string }

const press = (card_id: string, trigger: Trigger = {}, more: object = {}, headers?: Record<string, string>) =>
  scene.interact(
    { card_id, trigger: { type: 'button_click', button_id: 'yes', ...trigger }, ...more },
    headers,
  )

const readFull = async (path: string) => (await key<FullDecision>('GET', path)).body
const refused = (status: number, code: string, error: string) => ({ status, body: { code, error } })

test('D1: the first press decides; later ones get 409 with the outcome, and nothing is logged', async () => {
  const asked = await ask(key, channel_id, { approves: 'yes' })
  const interaction_id = randomUUID()
  const { status, body } = await press(asked.card_id, {}, { interaction_id, values: { note: 'now' } })
  expect(status).toBe(201)
  const outcome = {
    button_id: 'yes',
    label: 'Yes',
    by: { kind: 'anonymous', name: null },
    comment: null,
    timestamp: expect.any(String),
    act: publicIdOf(interaction_id),
  }
  expect(body).toMatchObject({
    interaction_id,
    trigger: { type: 'button_click', button_id: 'yes', label: 'Yes' },
    decision: { id: asked.id, state: 'decided', reason: null, ended_at: expect.any(String), outcome },
  })
  expect(await press(asked.card_id, { button_id: 'no' })).toMatchObject({
    status: 409,
    body: { error: 'Already decided', code: 'already_decided', decision: { id: asked.id, outcome } },
  })
  const { body: log } = await key<{ interactions: { card_id: string }[] }>(
    'GET',
    `/channels/${channel_id}/interactions`,
  )
  expect(log.interactions.filter(({ card_id }) => card_id === asked.card_id)).toHaveLength(1)
})

test('D6: the card’s row, its document and the decision’s row agree; `updated_at` stays', async () => {
  const asked = await ask(key, channel_id)
  const path = `/channels/${channel_id}/cards/${asked.card_id}`
  const { body: before } = await key<{ updated_at: string }>('GET', path)
  await press(asked.card_id, {}, { values: { note: 'x' } })
  const { body: card } = await key<{ updated_at: string; blocks: { decision?: object }[] }>('GET', path)
  expect(card.updated_at).toBe(before.updated_at)
  const shown = (await readDocumentCards(account, `/channels/${channel_id}/cards`)).find(
    ({ id }) => id === asked.card_id,
  )
  expect(shown).toMatchObject(card)
  const full = await readFull(asked.path)
  const decision = card.blocks[2]?.decision
  expect(full).toMatchObject({
    state: 'decided',
    ended_at: decision && 'ended_at' in decision ? decision.ended_at : null,
    outcome: { button_id: 'yes', values: { note: 'x' }, seen: null, card_updated_at: card.updated_at },
  })
})

describe('the same interaction_id', () => {
  test('D5: the same interaction_id returns 200 with the first result and its decision', async () => {
    const asked = await ask(key, channel_id)
    const interaction_id = randomUUID()
    const first = await press(asked.card_id, {}, { interaction_id })
    const again = await press(asked.card_id, { button_id: 'no' }, { interaction_id })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toStrictEqual(first.body)
  })

  test('D5: the same interaction_id of another channel returns 400', async () => {
    const interaction_id = randomUUID()
    const other = await buildScene(service, { account })
    await other.click({ interaction_id })
    const asked = await ask(key, channel_id)
    expect(await press(asked.card_id, {}, { interaction_id })).toMatchObject(
      invalid('interaction_id is already in use'),
    )
    expect((await readFull(asked.path)).state).toBe('waiting')
  })
})

describe('the right to decide', () => {
  test.each([
    ['signed_in', undefined, 403],
    ['signed_in', stranger_headers, 201],
    ['members', undefined, 403],
    ['members', stranger_headers, 403],
    ['members', owner_headers, 201],
    ['owner', stranger_headers, 403],
    ['owner', owner_headers, 201],
  ])('a press by %s on a question with %o returns %i', async (who, headers, status) => {
    const asked = await ask(key, channel_id, { who })
    const answer = await press(asked.card_id, {}, {}, headers)
    expect(answer.status).toBe(status)
    if (status === 201) return
    const expected = headers
      ? refused(403, 'not_allowed', 'You may not decide this')
      : refused(403, 'sign_in', 'Sign in to decide')
    expect(answer).toMatchObject(expected)
    expect(answer.body).toMatchObject({ decision: { id: asked.id, state: 'waiting', who } })
  })

  test('a list names accounts; its addresses stay out of the public form', async () => {
    const asked = await ask(key, channel_id, { who: [stranger.email.toUpperCase()] })
    expect(await press(asked.card_id, {}, {}, owner_headers)).toMatchObject(
      refused(403, 'not_allowed', 'You may not decide this'),
    )
    const { status, body } = await press(asked.card_id, {}, {}, stranger_headers)
    expect(status).toBe(201)
    // A decision that isn't for everybody records the name.
    expect(body).toMatchObject({
      decision: { who: 'listed', outcome: { by: { kind: 'user', name: 'Ann' } } },
    })
    expect(JSON.stringify(body)).not.toContain(stranger.email)
    expect(await readFull(asked.path)).toMatchObject({
      who: [stranger.email],
      outcome: { by: { kind: 'user', name: 'Ann', user_id: stranger.user_id, api_key_id: null } },
    })
  })

  test('if everybody may decide, people without a role act by name only if they say so', async () => {
    const [a, b] = [await ask(key, channel_id), await ask(key, channel_id)]
    const hidden = await press(a.card_id, {}, {}, stranger_headers)
    const named = await press(b.card_id, {}, { as: 'me' }, stranger_headers)
    expect(hidden.body).toMatchObject({ decision: { outcome: { by: { kind: 'anonymous', name: null } } } })
    expect(named.body).toMatchObject({ decision: { outcome: { by: { kind: 'user', name: 'Ann' } } } })
    expect((await readFull(a.path)).outcome?.by.user_id).toBeNull()
  })

  test('a press in mode view returns 403', async () => {
    const { channel_id, ...quiet } = await buildScene(service, { account, mode: 'view' })
    const asked = await ask(key, channel_id)
    const trigger = { type: 'button_click', button_id: 'yes' }
    expect(await quiet.interact({ card_id: asked.card_id, trigger })).toMatchObject(
      failed(403, 'Channel is not interactive'),
    )
  })
})

test('agents decide over /api/v1 if the question allows it; repeats return 200', async () => {
  const other = await createTestKey(account.session, { name: 'deploy-bot', scope: 'write' })
  const agent = withKey(service.url, other.key)
  const asked = await ask(key, channel_id, { agents: true, who: 'owner', comment: 'optional' })
  const interaction_id = randomUUID()
  const body = { button_id: 'yes', comment: 'go', values: { note: 'n' }, interaction_id }
  const first = await agent<FullDecision>('POST', asked.path, body)
  expect(first).toMatchObject({
    status: 201,
    body: {
      id: asked.id,
      state: 'decided',
      outcome: {
        interaction_id,
        by: { kind: 'agent', name: 'deploy-bot', user_id: null, api_key_id: other.id },
        comment: 'go',
        values: { note: 'n' },
      },
    },
  })
  const again = await agent('POST', asked.path, body)
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(await agent('POST', asked.path, { button_id: 'no' })).toMatchObject({
    status: 409,
    body: { code: 'already_decided', error: 'Already decided', decision: first.body },
  })
  const { body: log } = await account.session<{ interactions: object[] }>(
    'GET',
    `/channels/${channel_id}/interactions?limit=1`,
  )
  expect(log.interactions[0]).toMatchObject({
    trigger: { type: 'button_click' },
    user: null,
    by: { kind: 'agent', name: 'deploy-bot', user_id: null },
  })
})

describe('the question that the person saw', () => {
  test('D4: an earlier question returns 409 with the current one', async () => {
    const asked = await ask(key, channel_id)
    await press(asked.card_id)
    const path = `/channels/${channel_id}/cards/${asked.card_id}`
    const blocks = [{ id: 'ask', patch: { decision: { reopen: true } } }]
    const { body } = await key<{ blocks: { decision: { id: string } }[] }>('PATCH', path, { blocks })
    const current = body.blocks[2]?.decision.id
    expect(current).not.toBe(asked.id)
    expect(await press(asked.card_id, { decision_id: asked.id })).toMatchObject({
      status: 409,
      body: { code: 'asked_again', error: 'The question was asked again', decision: { id: current } },
    })
    expect(await press(asked.card_id, { decision_id: 'unknown' })).toMatchObject({ status: 409 })
    expect(await press(asked.card_id, { decision_id: current ?? '' })).toMatchObject({ status: 201 })
  })

  test('D4: a question that is gone from its block returns 409 cancelled', async () => {
    const cards = `/channels/${channel_id}/cards/by-key/gone`
    const { body } = await key<{ id: string; decisions: { id: string }[] }>('PUT', cards, {
      blocks: question(),
    })
    const [, , plain] = question()
    await key('PUT', cards, { blocks: [{ ...plain, decision: undefined }] })
    expect(await press(body.id, { decision_id: body.decisions[0]?.id ?? '' })).toMatchObject({
      status: 409,
      body: { code: 'cancelled', error: 'Decision was cancelled', decision: { reason: 'replaced' } },
    })
    expect(await press(body.id)).toMatchObject({ status: 201 })
  })

  test('D4: if_changed `refuse` counts only a press on the card as it is', async () => {
    const asked = await ask(key, channel_id, { if_changed: 'refuse' })
    const path = `/channels/${channel_id}/cards/${asked.card_id}`
    const { body: before } = await key<{ updated_at: string }>('GET', path)
    await key('PATCH', path, { blocks: [{ id: 'title', patch: { content: 'Roll back?' } }] })
    const { body: after } = await key<{ updated_at: string }>('GET', path)
    expect(await press(asked.card_id)).toMatchObject(invalid('seen is required'))
    expect(await press(asked.card_id, {}, { seen: before.updated_at })).toMatchObject(
      refused(409, 'card_changed', 'The card has changed since it was shown'),
    )
    expect(await press(asked.card_id, {}, { seen: after.updated_at })).toMatchObject({ status: 201 })
  })
})

describe('values of a press', () => {
  test('comments are refused, optional or required, as the button says instead of its decision', async () => {
    const [title, note, block] = question()
    const buttons = [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No', comment: 'required' },
    ]
    const { body } = await key<{ id: string }>('POST', `/channels/${channel_id}/cards`, {
      blocks: [title, note, { ...block, buttons }],
    })
    expect(await press(body.id, { comment: 'x' })).toMatchObject(invalid('comment is not asked for'))
    expect(await press(body.id, { button_id: 'no' })).toMatchObject(invalid('comment is required'))
    expect(await press(body.id, { button_id: 'no', comment: 'too soon' })).toMatchObject({
      status: 201,
      body: { decision: { outcome: { comment: 'too soon' } } },
    })
  })

  test('disabled buttons, wrong values and missing fields return 400 and decide nothing', async () => {
    const [title, , block] = question()
    const note = { type: 'input', id: 'note', label: 'Note', required: true }
    const buttons = [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No', disabled: true },
    ]
    const { body } = await key<{ id: string }>('POST', `/channels/${channel_id}/cards`, {
      blocks: [title, note, { ...block, buttons }],
    })
    expect(await press(body.id, { button_id: 'no' })).toMatchObject(invalid('Button is disabled'))
    expect(await press(body.id, {}, { values: { note: 1 } })).toMatchObject(
      invalid('values.note must be a string'),
    )
    expect(await press(body.id)).toMatchObject(invalid('Note is required'))
    expect(await press(body.id, { button_id: 'maybe' })).toMatchObject(failed(404, 'Button not found'))
    expect(await press(body.id, {}, { values: { note: 'x' } })).toMatchObject({ status: 201 })
  })
})
