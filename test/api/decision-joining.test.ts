// Joining: a card that asks what is waiting already, under the same key, creates nothing.
import { expect, test } from 'vitest'
import { createTestKey, withKey } from '../support/account.ts'
import { ask, question } from '../support/decisions.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

const service = await runService({ WORKSPACE_LIMIT: '0', DAILY_CARD_LIMIT: '1000' })
const scene = await buildScene(service)
const { account, channel_id } = scene
const { key } = account
const cards = `/channels/${channel_id}/cards`
const agent = withKey(service.url, (await createTestKey(account.session, { scope: 'write' })).key)

type Answer = { id: string; decisions: object[]; joined?: true }

let count = 0
const newKey = () => `k${++count}`
const post = (decision: object, call = key) => call<Answer>('POST', cards, { blocks: question(decision) })

const inUse = ({ body }: { body: Answer }) => ({
  status: 409,
  body: {
    code: 'key_in_use',
    error: 'A different question with this key is waiting',
    decision: { card_id: body.id, state: 'waiting' },
  },
})

test('the same question of the same key creates no card and uses no quota, whatever its deadline', async () => {
  const used = async () => (await account.session('GET', '/usage')).body.cards
  const name = newKey()
  const first = await post({ key: name, expires_in: 60 })
  expect(first.status).toBe(201)
  const before = await used()
  const { id, decisions } = first.body
  const joined = { status: 200, body: { id, channel_id, decisions, joined: true } }
  expect(await post({ expires_in: 90, key: name })).toMatchObject(joined)
  expect(await post({ key: name })).toMatchObject(joined)
  expect(await used()).toEqual(before)
})

test('another question, or another asker, gets 409 key_in_use with the waiting one', async () => {
  const name = newKey()
  const waiting = await post({ key: name })
  expect(await post({ key: name, who: 'owner' })).toMatchObject(inUse(waiting))
  expect(await post({ key: name }, agent)).toMatchObject(inUse(waiting))
})

test('PUT and PATCH with a key that waits on another block get 409 key_in_use', async () => {
  const name = newKey()
  const waiting = await post({ key: name })
  const blocks = question({ key: name })
  expect(await key('PUT', `${cards}/by-key/${name}`, { blocks })).toMatchObject(inUse(waiting))
  const { card_id } = await ask(key, channel_id)
  const patch = { blocks: [{ id: 'ask', patch: { decision: { key: name } } }] }
  expect(await key('PATCH', `${cards}/${card_id}`, patch)).toMatchObject(inUse(waiting))
})

test('`reopen` of a question whose key waits on another block gets 409 key_in_use', async () => {
  const name = newKey()
  const ended = await ask(key, channel_id, { key: name })
  await key('DELETE', ended.path)
  const waiting = await post({ key: name })
  const reopen = (decision: object = {}) =>
    key('PATCH', `${cards}/${ended.card_id}`, {
      blocks: [{ id: 'ask', patch: { decision: { reopen: true, ...decision } } }],
    })
  expect(await reopen()).toMatchObject(inUse(waiting))
  expect(await reopen({ key: null })).toMatchObject({ status: 200 })
})

test('an ended question is never joined', async () => {
  const name = newKey()
  const { body } = await post({ key: name })
  await scene.interact({ card_id: body.id, trigger: { type: 'button_click', button_id: 'yes' } })
  expect(await post({ key: name })).toMatchObject({ status: 201 })
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
