// Changing a question: PATCH, PUT by key, deleting, asking again, joining. Also what may be asked at all.
import { describe, expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { createTestKey, withKey } from '../support/account.ts'
import { ask, question } from '../support/decisions.ts'
import { invalid } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

let now = Date.now
const service = await runService({ WORKSPACE_LIMIT: '0' }, { now: () => now() })
const scene = await buildScene(service)
const { account, channel_id } = scene
const { key } = account
const cards = `/channels/${channel_id}/cards`

type Shown = { id: string; state: string; key: string | null } & Record<string, unknown>
type Answer = {
  id: string
  updated_at: string
  blocks: { decision?: Shown; buttons?: object[] }[]
  decisions: { id: string }[]
}

let count = 0
const newKey = () => `k${++count}`
const patch = (card_id: string, fields: object) =>
  key<Answer>('PATCH', `${cards}/${card_id}`, { blocks: [{ id: 'ask', patch: fields }] })
const put = (card_key: string, decision?: object | null, call = key) =>
  call<Answer>('PUT', `${cards}/by-key/${card_key}`, { blocks: question(decision ?? {}) })
const decide = (card_id: string, button_id = 'yes') =>
  scene.interact({ card_id, trigger: { type: 'button_click', button_id } })
const read = async (id: string) =>
  (await key<FullDecision>('GET', `/channels/${channel_id}/decisions/${id}`)).body
const shownBy = ({ body }: { body: Answer }) => body.blocks[2]?.decision
const code = (status: number, code: string) => ({ status, body: { code } })
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

describe('6: PATCH while waiting', () => {
  test('of labels and other blocks has no effect on the decision, but its choices follow', async () => {
    const asked = await ask(key, channel_id)
    const before = await read(asked.id)
    await patch(asked.card_id, { buttons: [{ id: 'yes', patch: { label: 'Do it', disabled: true } }] })
    const after = await read(asked.id)
    expect(after).toEqual({
      ...before,
      choices: [
        { id: 'yes', label: 'Do it', style: 'primary' },
        { id: 'no', label: 'No', style: 'danger' },
      ],
    })
  })

  test('of the decision changes the same question', async () => {
    const asked = await ask(key, channel_id, { comment: 'optional', approves: 'yes' })
    const expires_at = inSeconds(3_600)
    const answer = await patch(asked.card_id, { decision: { expires_at, who: 'owner' } })
    expect(answer.status).toBe(200)
    expect(shownBy(answer)).toMatchObject({
      id: asked.id,
      state: 'waiting',
      expires_at,
      who: 'owner',
      comment: 'optional',
      approves: 'yes',
    })
    expect(shownBy(await patch(asked.card_id, { decision: { expires_at: null } }))?.expires_at).toBeNull()
  })

  test('`reopen` changes nothing, not even `updated_at`', async () => {
    const asked = await ask(key, channel_id)
    const { body: before } = await key<Answer>('GET', `${cards}/${asked.card_id}`)
    const { status, body } = await patch(asked.card_id, { decision: { reopen: true } })
    expect(status).toBe(200)
    expect([body.updated_at, body.blocks]).toEqual([before.updated_at, before.blocks])
  })

  test('null returns 400; on a block without a decision, fields open one', async () => {
    const asked = await ask(key, channel_id)
    expect(await patch(asked.card_id, { decision: null })).toMatchObject(
      invalid('blocks[0].patch.decision cannot be removed'),
    )
    const [title, note, block] = question()
    const { body } = await key<Answer>('POST', cards, { blocks: [title, note, { ...block, decision: null }] })
    expect(body.decisions).toBeUndefined()
    expect(shownBy(await patch(body.id, { decision: { reopen: true } }))).toMatchObject({ state: 'waiting' })
  })
})

describe('6: PATCH of an ended question', () => {
  test('fields return 409 ended; labels change, but the outcome keeps its copy', async () => {
    const asked = await ask(key, channel_id)
    await decide(asked.card_id)
    const error =
      'blocks[0].patch.decision has ended: send its id to keep it, a new key or reopen to ask again'
    expect(await patch(asked.card_id, { decision: { who: 'owner' } })).toMatchObject({
      status: 409,
      body: { error, code: 'ended', decision: { id: asked.id, state: 'decided', card_id: asked.card_id } },
    })
    const answer = await patch(asked.card_id, { buttons: [{ id: 'yes', patch: { label: 'Done' } }] })
    expect(shownBy(answer)).toMatchObject({ state: 'decided', outcome: { label: 'Yes' } })
  })

  test('`reopen` asks again under a new id, with the settings so far', async () => {
    const asked = await ask(key, channel_id, { who: [account.email], comment: 'optional' })
    await scene.interact(
      { card_id: asked.card_id, trigger: { type: 'button_click', button_id: 'yes' } },
      { Cookie: account.cookie },
    )
    const again = shownBy(await patch(asked.card_id, { decision: { reopen: true } }))
    expect(again).toMatchObject({ state: 'waiting', outcome: null, who: 'listed', comment: 'optional' })
    expect(again?.id).not.toBe(asked.id)
    expect(await read(again?.id ?? '')).toMatchObject({ who: [account.email] })
    expect(await read(asked.id)).toMatchObject({ state: 'decided' })
  })

  test('`reopen` after the deadline needs a new one', async () => {
    const asked = await ask(key, channel_id, { expires_in: 60 })
    try {
      now = () => Date.now() + 61_000
      expect(await patch(asked.card_id, { decision: { reopen: true } })).toMatchObject(
        invalid('blocks[0].patch.decision.expires_at is required to reopen'),
      )
      expect(await read(asked.id)).toMatchObject({ state: 'expired' })
      const answer = await patch(asked.card_id, { decision: { reopen: true, expires_at: null } })
      expect(shownBy(answer)).toMatchObject({ state: 'waiting', expires_at: null })
    } finally {
      now = Date.now
    }
  })
})

describe('6: PUT by key', () => {
  test('with the id, the key or neither keeps a waiting question, replaces its fields and leaves its deadline', async () => {
    const [card_key, name] = [newKey(), newKey()]
    const { body } = await put(card_key, { key: name, expires_in: 3_600, comment: 'required' })
    const id = body.decisions[0]?.id
    const { expires_at } = await read(id ?? '')
    for (const decision of [{ id }, { key: name }, {}]) {
      const answer = await put(card_key, { ...decision, who: 'signed_in' })
      expect(answer.status).toBe(200)
      expect(shownBy(answer)).toMatchObject({ id, key: name, expires_at, who: 'signed_in', comment: 'none' })
    }
  })

  test('that changes nothing moves nothing, and a card can be written back as it was read', async () => {
    const card_key = newKey()
    await put(card_key, { who: [account.email], expires_in: 3_600 })
    const path = `${cards}/by-key/${card_key}`
    const { body: before } = await key<Answer & { status: string }>('GET', path)
    const { status, body } = await key<Answer>('PUT', path, { blocks: before.blocks, status: before.status })
    expect(status).toBe(200)
    expect([body.updated_at, body.blocks]).toEqual([before.updated_at, before.blocks])
  })

  test('of an ended question: its id keeps it, its key too; neither returns 409 ended', async () => {
    const [card_key, name] = [newKey(), newKey()]
    const { body } = await put(card_key, { key: name })
    const id = body.decisions[0]?.id
    await decide(body.id)
    for (const decision of [
      { id, who: 'owner' },
      { key: name, who: 'owner' },
    ])
      expect(shownBy(await put(card_key, decision))).toMatchObject({ id, state: 'decided', who: 'anyone' })
    expect(await put(card_key, {})).toMatchObject({
      ...code(409, 'ended'),
      body: {
        error: 'blocks[2].decision has ended: send its id to keep it, a new key or reopen to ask again',
      },
    })
    const next = shownBy(await put(card_key, { key: newKey() }))
    expect(next).toMatchObject({ state: 'waiting' })
    expect(next?.id).not.toBe(id)
  })

  test('with another key cancels the waiting question and asks anew; another id returns 409 asked_again', async () => {
    const card_key = newKey()
    const { body } = await put(card_key, { key: newKey() })
    const id = body.decisions[0]?.id ?? ''
    const next = shownBy(await put(card_key, { key: newKey() }))
    expect(next).toMatchObject({ state: 'waiting' })
    expect(await read(id)).toMatchObject({ state: 'cancelled', reason: 'replaced' })
    expect(await put(card_key, { id })).toMatchObject({
      status: 409,
      body: { code: 'asked_again', decision: { id: next?.id } },
    })
  })

  test('without the block, or without its decision, cancels a waiting question and removes an ended one', async () => {
    for (const blocks of [[{ type: 'divider' }], [{ ...question()[2], decision: undefined }]]) {
      const card_key = newKey()
      const { body } = await put(card_key)
      const id = body.decisions[0]?.id ?? ''
      const answer = await key<Answer>('PUT', `${cards}/by-key/${card_key}`, { blocks })
      expect(JSON.stringify(answer.body.blocks)).not.toContain('decision')
      expect(await read(id)).toMatchObject({ state: 'cancelled', reason: 'replaced' })
    }
  })
})

test('6: DELETE of a card cancels its questions; they stay readable without the card', async () => {
  const [waiting, ended] = [await ask(key, channel_id), await ask(key, channel_id)]
  await decide(ended.card_id)
  for (const { card_id } of [waiting, ended])
    expect((await key('DELETE', `${cards}/${card_id}`)).status).toBe(204)
  expect(await read(waiting.id)).toMatchObject({ state: 'cancelled', reason: 'deleted', card_id: null })
  expect(await read(ended.id)).toMatchObject({ state: 'decided', card_id: null })
})

test('6: DELETE of the channel deletes its decisions', async () => {
  const other = await buildScene(service, { account })
  await ask(key, other.channel_id)
  await key('DELETE', `/channels/${other.channel_id}`)
  const rows = await service.database.sql`select from decisions where channel_id = ${other.channel_id}`
  expect(rows).toHaveLength(0)
})

describe('6: joining', async () => {
  const agent = withKey(service.url, (await createTestKey(account.session, { scope: 'write' })).key)
  const post = (decision: object, call = key) =>
    call<Answer & { joined?: true }>('POST', cards, { blocks: question(decision) })

  test('the same question of the same key creates no card, whatever its deadline', async () => {
    const name = newKey()
    const first = await post({ key: name, expires_in: 60 })
    const second = await post({ key: name, expires_in: 90 })
    expect(first.status).toBe(201)
    const { id, decisions } = first.body
    expect(second).toMatchObject({ status: 200, body: { id, channel_id, decisions, joined: true } })
  })

  test('another question, or another asker, gets 409 key_in_use with the waiting one', async () => {
    const name = newKey()
    const { body } = await post({ key: name })
    const error = 'A different question with this key is waiting'
    const refused = { status: 409, body: { code: 'key_in_use', error, decision: { card_id: body.id } } }
    expect(await post({ key: name, who: 'owner' })).toMatchObject(refused)
    expect(await post({ key: name }, agent)).toMatchObject(refused)
    expect(await put(newKey(), { key: name })).toMatchObject(refused)
    const other = await ask(key, channel_id)
    expect(await patch(other.card_id, { decision: { key: name } })).toMatchObject(refused)
  })

  test('an ended question is never joined', async () => {
    const name = newKey()
    const { body } = await post({ key: name })
    await decide(body.id)
    expect(await post({ key: name })).toMatchObject({ status: 201 })
  })

  test('20 times at once creates one card', async () => {
    const name = newKey()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ key: name })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  test('an Idempotency-Key works with a joined question', async () => {
    const name = newKey()
    await post({ key: name })
    const repeat = () =>
      key('POST', cards, { blocks: question({ key: name }) }, { 'Idempotency-Key': `once-${name}` })
    const first = await repeat()
    expect(first.status).toBe(200)
    expect(await repeat()).toMatchObject({ status: 200, body: first.body })
  })
})
