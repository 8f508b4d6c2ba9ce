// Idempotency-Key over two instances on one database: a request takes effect once.
import { beforeEach, expect, test } from 'vitest'
import { createAccount, withKey } from '../support/account.ts'
import { createTestChannel, textCard } from '../support/cards.ts'
import { runInstance, runService } from '../support/running.ts'
import type { Call } from '../support/service.ts'

let key: string

const service = await runService()
const other = await runInstance(service)
const ann = await createAccount(service)
const cards = await createTestChannel(ann)
const calls: [Call, Call] = [ann.key, withKey(other.url, ann.api_key)]
beforeEach(() => {
  key = crypto.randomUUID()
})

const send = (call: Call, path: string, body: unknown) => call('POST', path, body, { 'Idempotency-Key': key })

/** Cards and channels that the user has made. */
async function made(): Promise<number> {
  const [used] = await service.sql<{ made: number }[]>`
    select cards + channels as made from daily_usage where user_id = ${ann.user_id}`
  return used?.made ?? 0
}

test('an instance replays the stored response of the other', async () => {
  const first = await send(calls[0], cards, textCard())
  const again = await send(calls[1], cards, textCard())
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.body).toStrictEqual(first.body)
})

test.each([
  ['a card', () => cards, () => textCard()],
  ['a channel', () => '/channels', () => ({ name: 'C', workspace_id: ann.workspace_id })],
])('the same request to both at once creates %s once', async (_, path, body) => {
  for (let round = 0; round < 5; round++) {
    key = crypto.randomUUID()
    const before = await made()
    const responses = await Promise.all(calls.map(call => send(call, path(), body())))
    expect(responses.map(({ status }) => status)).toEqual([201, 201])
    expect(responses[0]?.body).toStrictEqual(responses[1]?.body)
    expect(await made()).toBe(before + 1)
  }
})

test('two different requests with one key to both at once: one succeeds, the other returns 422', async () => {
  for (let round = 0; round < 5; round++) {
    key = crypto.randomUUID()
    const before = await made()
    const responses = await Promise.all(calls.map((call, i) => send(call, cards, textCard(String(i)))))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(await made()).toBe(before + 1)
  }
})
