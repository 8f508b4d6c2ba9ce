// Idempotency-Key: a request takes effect once, and repeats get the first response.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../server/database/connect.ts'
import { createAccount, createTestKey, withKey } from '../support/account.ts'
import { createTestChannel, pushCard, readCard, textCard } from '../support/cards.ts'
import { failed, invalid } from '../support/errors.ts'
import { countLockWaits, PATIENT_LOCK_MS } from '../support/locks.ts'
import { runInstances } from '../support/running.ts'
import type { Call } from '../support/service.ts'
import { times } from '../support/times.ts'

let key: string

const limits = { DAILY_CARD_LIMIT: '1000', DAILY_CHANNEL_LIMIT: '1000' }
const { here: service, there } = await runInstances(limits, { lock_ms: PATIENT_LOCK_MS })
const ann = await createAccount(service)
const elsewhere = withKey(there.url, ann.api_key)
const cards = await createTestChannel(ann)
beforeEach(() => {
  key = crypto.randomUUID()
})

const send = (method: string, path: string, body: unknown, call: Call = ann.key) =>
  call(method, path, body, { 'Idempotency-Key': key })

async function usage(): Promise<{ cards: number; channels: number }> {
  const [used] = await service.sql<{ cards: number; channels: number }[]>`
    select cards, channels from daily_usage where user_id = ${ann.user_id}`
  return used ?? { cards: 0, channels: 0 }
}

const isReplay = ({ headers }: { headers: Headers }) => headers.get('Idempotent-Replayed') === 'true'

const rowCounts = () => service.sql`
  select (select count(*) from cards) as cards, (select count(*) from channels) as channels`

describe('the same key with the same body', () => {
  test.each([
    ['POST cards', 'POST', () => cards, textCard()],
    ['POST channels', 'POST', () => '/channels', { name: 'C' }],
    ['PUT by-key', 'PUT', () => `${cards}/by-key/k`, textCard()],
  ])(
    '%s returns the first response again, byte for byte and marked as replayed, and has no other effect',
    async (_, method, path, fields) => {
      const body = JSON.stringify({ workspace_id: ann.workspace_id, ...fields })
      const headers = {
        Authorization: `Bearer ${ann.api_key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      }
      const url = `${service.url}/api/v1${path()}`
      const first = await fetch(url, { method, headers, body })
      const text = await first.text()
      expect(first.status).toBe(201)
      expect(first.headers.get('Idempotent-Replayed')).toBeNull()
      expect(first.headers.get('RateLimit')).toMatch(/^"(cards|channels)";r=\d+;t=\d+$/)
      const [used, rows] = [await usage(), await rowCounts()]

      const again = await fetch(url, { method, headers, body })
      expect(again.status).toBe(201)
      expect(isReplay(again)).toBe(true)
      expect(again.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'))
      expect(await again.text()).toBe(text)
      expect(await usage()).toStrictEqual(used)
      expect(await rowCounts()).toStrictEqual(rows)
    },
  )

  test('PATCH: append_rows appends once', async () => {
    const path = await pushCard(ann.key, cards, { blocks: [{ type: 'kv', id: 'kv', rows: [] }] })
    const body = { blocks: [{ id: 'kv', patch: { append_rows: [{ key: 'a', value: 'b' }] } }] }
    const first = await send('PATCH', path, body)
    const again = await send('PATCH', path, body)
    expect(first.status).toBe(200)
    expect(isReplay(again)).toBe(true)
    expect(again.body).toStrictEqual(first.body)
    expect((await readCard(ann.key, path)).blocks).toMatchObject([{ rows: [{ key: 'a', value: 'b' }] }])
  })

  test('an empty PATCH is replayed too', async () => {
    const path = await pushCard(ann.key, cards)
    await send('PATCH', path, {})
    expect(isReplay(await send('PATCH', path, {}))).toBe(true)
  })

  test('parallel requests create one card; the others get 409 or its response', async () => {
    const before = (await usage()).cards
    const responses = await times(20, () => send('POST', cards, textCard()))
    const made = responses.filter(({ status }) => status === 201)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]))
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    expect((await usage()).cards).toBe(before + 1)
  })
})

describe('two instances', () => {
  const calls = [ann.key, elsewhere]
  /** Cards and channels that the user has made. */
  const countMade = async () => {
    const { cards, channels } = await usage()
    return cards + channels
  }

  test('an instance replays the stored response of the other', async () => {
    const first = await send('POST', cards, textCard())
    const again = await send('POST', cards, textCard(), elsewhere)
    expect(isReplay(again)).toBe(true)
    expect(again.body).toStrictEqual(first.body)
  })

  test.each([
    ['a card', () => cards, () => textCard()],
    ['a channel', () => '/channels', () => ({ name: 'C', workspace_id: ann.workspace_id })],
  ])('the same request to two instances at once creates %s once', async (_, path, body) => {
    for (let round = 0; round < 5; round++) {
      key = crypto.randomUUID()
      const before = await countMade()
      const responses = await Promise.all(calls.map(call => send('POST', path(), body(), call)))
      expect(responses.map(({ status }) => status)).toEqual([201, 201])
      expect(responses[0]?.body).toStrictEqual(responses[1]?.body)
      expect(await countMade()).toBe(before + 1)
    }
  })

  test('of two different requests with one key at once, one succeeds and the other returns 422', async () => {
    for (let round = 0; round < 5; round++) {
      key = crypto.randomUUID()
      const before = await countMade()
      const responses = await Promise.all(
        calls.map((call, i) => send('POST', cards, textCard(String(i)), call)),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 422])
      expect(await countMade()).toBe(before + 1)
    }
  })
})

describe('another body', () => {
  test.each([
    ['other words', textCard('other')],
    ['other blanks', JSON.stringify(textCard(), null, 1)],
    ['fields in another order', JSON.stringify({ status: 'default', ...textCard() })],
  ])('%s under the same key return 422', async (_, other) => {
    await send('POST', cards, { ...textCard(), status: 'default' })
    expect(await send('POST', cards, other)).toMatchObject(
      failed(422, 'Idempotency-Key was used with a different request'),
    )
  })

  test('an invalid body returns 400 first', async () => {
    await send('POST', cards, textCard())
    expect(await send('POST', cards, {})).toMatchObject(invalid('blocks are required'))
  })
})

describe('a repeat while the first request runs', () => {
  /** Sends a request, repeats it while the first waits for the lock, and then once more. */
  async function thrice(path: string, body: object, lock: (tx: Transaction) => Promise<unknown>) {
    let first: ReturnType<typeof send> | undefined
    const second = await service.sql.begin(async tx => {
      await lock(tx)
      first = send('POST', path, body)
      await expect.poll(() => countLockWaits(service.sql)).toBe(1)
      return await send('POST', path, body)
    })
    return [await first, second, await send('POST', path, body)] as const
  }

  test.each<[string, () => string, (tx: Transaction) => Promise<unknown>]>([
    ['a card', () => cards, tx => tx`select from documents for update`],
    ['a channel', () => '/channels', tx => tx`select from daily_usage for update`],
  ])('a repeat returns 409 while the first request for %s runs, then its response', async (_, path, lock) => {
    const body = { ...textCard('slow'), name: 'C', workspace_id: ann.workspace_id }
    const [first, second, third] = await thrice(path(), body, lock)
    expect(first?.status).toBe(201)
    expect(second).toMatchObject(failed(409, 'A request with this Idempotency-Key is still running'))
    expect(isReplay(third)).toBe(true)
    expect(third.body).toStrictEqual(first?.body)
  })
})

describe('the key', () => {
  test.each(['', 'x'.repeat(256)])('the Idempotency-Key %j returns 400', async bad => {
    key = bad
    expect(await send('POST', cards, textCard())).toMatchObject(
      invalid('Idempotency-Key must have 1 to 255 characters'),
    )
  })
  test('an Idempotency-Key may have 255 characters', async () => {
    key = crypto.randomUUID().padEnd(255, 'x')
    await send('POST', cards, textCard())
    expect(isReplay(await send('POST', cards, textCard()))).toBe(true)
  })
  test('an Idempotency-Key counts per path', async () => {
    const other = await createTestChannel(ann)
    const responses = [
      await send('POST', cards, textCard()),
      await send('POST', other, textCard()),
      await send('POST', cards, textCard(), ann.session),
    ]
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(responses.map(isReplay)).toEqual([false, false, false])
    expect(isReplay(await send('POST', cards, textCard(), ann.session))).toBe(true)
  })
  test('an Idempotency-Key counts per method', async () => {
    await send('PUT', `${cards}/by-key/m`, { ...textCard(), status: 'error' })
    const patch = await send('PATCH', `${cards}/by-key/m`, { status: 'error' })
    expect(isReplay(patch)).toBe(false)
  })
  test('an Idempotency-Key counts per user, over all of their API keys', async () => {
    await send('POST', cards, textCard())
    const other = withKey(service.url, (await createTestKey(ann.session)).key)
    expect(isReplay(await send('POST', cards, textCard(), other))).toBe(true)
    const bob = await createAccount(service)
    const made = await send('POST', await createTestChannel(bob), textCard(), bob.key)
    expect(isReplay(made)).toBe(false)
  })
})

test('an error is not stored: the same key may try again', async () => {
  expect((await send('POST', cards, { blocks: [] })).status).toBe(400)
  expect((await send('POST', cards, textCard())).status).toBe(201)
})

test('a key can be used again after 24 hours', async () => {
  const first = await send('POST', cards, textCard())
  const age = (hours: string) => service.sql`
    update idempotency_keys set created_at = now() - ${hours}::interval where key = ${key}`
  await age('23 hours 59 minutes')
  expect((await send('POST', cards, textCard())).body.id).toBe(first.body.id)
  await age('24 hours 1 second')
  const second = await send('POST', cards, textCard('another body'))
  expect(second.status).toBe(201)
  expect(isReplay(second)).toBe(false)
  expect(second.body.id).not.toBe(first.body.id)
  const third = await send('POST', cards, textCard('another body'))
  expect(third.body.id).toBe(second.body.id)
})
