// Idempotency-Key over two instances on one database: the work is done once, wherever it is asked for.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Account, createAccount, withKey } from '../support/account.ts'
import { createTestCards, textCard } from '../support/cards.ts'
import { type Call, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let other: TestService
let ann: Account
let cards: string
let calls: [Call, Call]
let key: string

beforeAll(async () => {
  service = await startTestService()
  other = await startTestService({}, { database: service.database })
  ann = await createAccount(service)
  cards = await createTestCards(ann)
  calls = [ann.key, withKey(other.url, ann.api_key)]
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})
beforeEach(() => {
  key = randomUUID()
})

const send = (call: Call, path: string, body: unknown) => call('POST', path, body, { 'Idempotency-Key': key })

/** Cards and channels that the user has made. */
async function made(): Promise<number> {
  const [used] = await service.sql<{ made: number }[]>`
    select cards + channels as made from daily_usage where user_id = ${ann.user_id}`
  return used?.made ?? 0
}

test('an answer of one is replayed by the other', async () => {
  const first = await send(calls[0], cards, textCard())
  const again = await send(calls[1], cards, textCard())
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.body).toStrictEqual(first.body)
})

test.each([
  ['a card', () => cards, () => textCard()],
  ['a channel', () => '/channels', () => ({ name: 'C', workspace_id: ann.workspace_id })],
])('the same request to both at once makes %s, once', async (_, path, body) => {
  for (let round = 0; round < 5; round++) {
    key = randomUUID()
    const before = await made()
    const answers = await Promise.all(calls.map(call => send(call, path(), body())))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.body).toStrictEqual(answers[1]?.body)
    expect(await made()).toBe(before + 1)
  }
})

test('of two requests with one key, to both at once, one is made and the other is 422', async () => {
  for (let round = 0; round < 5; round++) {
    key = randomUUID()
    const before = await made()
    const answers = await Promise.all(calls.map((call, i) => send(call, cards, textCard(String(i)))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(await made()).toBe(before + 1)
  }
})
