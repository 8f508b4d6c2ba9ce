// Stored responses are limited per user and never deleted early.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { createTestChannel, textCard } from '../support/cards.ts'
import { runService } from '../support/running.ts'
import type { Answer } from '../support/service.ts'

const MINUTE_MS = 60_000
const MIB = 1024 * 1024

let ahead_ms = 0
let ann: Account
let cards: string

const service = await runService({}, { elapsed: () => performance.now() + ahead_ms })
beforeEach(async () => {
  ann = await createAccount(service)
  cards = await createTestChannel(ann)
})

const push = (key: string): Promise<Answer> => ann.key('POST', cards, textCard(), { 'Idempotency-Key': key })
const countCards = async () => (await service.sql`select from cards`).length

/** Stores responses to Ann's other requests. */
const keep = (responses: number, bytes: number, ago = '1 hour') => service.sql`
  insert into idempotency_keys (user_id, method, path, key, body_hash, status, response, created_at)
  select ${ann.user_id}, 'POST', '/kept', gen_random_uuid()::text, '', 201, repeat('x', ${bytes}), now() - ${ago}::interval
  from generate_series(1, ${responses})`

async function expectLimited(key: string): Promise<void> {
  const before = await countCards()
  const { status, body, headers } = await push(key)
  expect([status, body]).toEqual([429, { error: 'Too many kept answers' }])
  const wait = Number(headers.get('Retry-After'))
  // Responses stored an hour ago expire in 23 hours.
  expect(wait).toBeGreaterThan(22 * 3600)
  expect(wait).toBeLessThanOrEqual(23 * 3600)
  expect(await countCards()).toBe(before)
}

describe.each([
  ['100,000 responses', 100_000, 1],
  ['64 MiB of responses', 64, MIB],
])('%s responses', (_, responses, bytes) => {
  test('a new key returns 429 before the request takes effect', async () => {
    await keep(responses, bytes)
    await expectLimited(crypto.randomUUID())
  })

  test('a known key gets its stored response, and a request without a key succeeds', async () => {
    const key = crypto.randomUUID()
    const first = await push(key)
    await keep(responses, bytes)
    ahead_ms += MINUTE_MS
    await expectLimited(crypto.randomUUID())
    const again = await push(key)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await ann.key('POST', cards, textCard())).status).toBe(201)
  })

  test('other users are not affected', async () => {
    await keep(responses, bytes)
    ann = await createAccount(service)
    cards = await createTestChannel(ann)
    expect((await push(crypto.randomUUID())).status).toBe(201)
  })

  test('a new key is accepted when the responses are a day old', async () => {
    await keep(responses, bytes, '24 hours 1 second')
    expect((await push(crypto.randomUUID())).status).toBe(201)
  })
})

test('responses stored by this instance count at once', async () => {
  await keep(99_999, 1)
  expect((await push(crypto.randomUUID())).status).toBe(201)
  await expectLimited(crypto.randomUUID())
})

test('stored responses are counted in the database once a minute', async () => {
  await push(crypto.randomUUID())
  await keep(100_000, 1)
  expect((await push(crypto.randomUUID())).status).toBe(201)
  ahead_ms += MINUTE_MS
  await expectLimited(crypto.randomUUID())
})
