// The daily limits per user and UTC day, and the workspace limit, are exact even for parallel requests.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, accountAt, createAccount, createTestKey, withKey } from '../support/account.ts'
import { createTestChannel, pushCard, textCard } from '../support/cards.ts'
import { failed } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import type { Call } from '../support/service.ts'
import { times } from '../support/times.ts'

const NOON = Date.parse('2026-03-10T12:00:00.000Z')
const MIDNIGHT = Date.parse('2026-03-11T00:00:00.000Z')

let ann: Account
let cards: string
let clock = NOON

const limits = { DAILY_CARD_LIMIT: '', DAILY_CHANNEL_LIMIT: '', WORKSPACE_LIMIT: '' }
const now = () => clock
const service = await runService(limits, { now })
const { database } = service
const other = await runService(limits, { now, database })
const lifted = await runService({ WORKSPACE_LIMIT: '0' }, { now, database })
beforeEach(async () => {
  clock = NOON
  ann = await createAccount(service)
  cards = await createTestChannel(ann)
})

/** As if the day had used this many already. */
const use = (used: { cards?: number; channels?: number }) => service.sql`
  insert into daily_usage ${service.sql({ user_id: ann.user_id, day: '2026-03-10', cards: 0, channels: 0, ...used })}
  on conflict (user_id, day) do update set cards = excluded.cards, channels = excluded.channels`

const limitsOf = ({ headers }: { headers: Headers }) =>
  ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map(name => headers.get(name))
const push = (call: Call = ann.key, to = cards) => call('POST', to, textCard())
const createChannel = (call: Call = ann.key) =>
  call('POST', '/channels', { name: 'C', workspace_id: ann.workspace_id })
const statusesOf = (responses: { status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('cards', () => {
  const policy = '"cards";q=200;w=86400'

  test('the headers say how many of 200 cards are left, and until when', async () => {
    expect(limitsOf(await push())).toEqual([policy, '"cards";r=199;t=43200', null])
    clock += 1_500
    const put = await ann.key('PUT', `${cards}/by-key/a`, textCard())
    expect(limitsOf(put)).toEqual([policy, '"cards";r=198;t=43199', null])
  })

  test('the 201st card of a day returns 429 and Retry-After', async () => {
    await use({ cards: 199 })
    expect((await push()).status).toBe(201)
    const limited = await push()
    expect(limited).toMatchObject(failed(429, 'Daily card limit reached'))
    expect(limitsOf(limited)).toEqual([policy, '"cards";r=0;t=43200', '43200'])
    const put = await ann.key('PUT', `${cards}/by-key/new`, textCard())
    expect(put).toMatchObject(failed(429, 'Daily card limit reached'))
  })

  test.each([
    ['one channel', 1, 1],
    ['eight channels', 8, 1],
    ['one channel on two instances', 1, 2],
    ['eight channels on two instances', 8, 2],
  ])(
    'with 190 cards used, 200 parallel requests to %s create exactly ten',
    async (_, channels, instances) => {
      const paths = await times(channels, () => createTestChannel(ann))
      await use({ cards: 190 })
      const calls = [ann.key, withKey(other.url, ann.api_key)].slice(0, instances)
      const responses = await times(200, i => push(calls[i % instances], paths[Math.floor(i / 2) % channels]))
      expect(statusesOf(responses)).toEqual({ 201: 10, 429: 190 })
      const ids = paths.map(path => path.split('/')[2] ?? '')
      expect(await service.sql`select from cards where channel_id = any(${ids}::uuid[])`).toHaveLength(10)
      const left = responses.filter(({ status }) => status === 201).map(response => limitsOf(response)[1])
      expect(new Set(left)).toEqual(new Set(Array.from({ length: 10 }, (_, i) => `"cards";r=${i};t=43200`)))
    },
  )

  test('the limit counts per user, over all channels, all keys and the dashboard', async () => {
    await use({ cards: 197 })
    const second = withKey(service.url, (await createTestKey(ann.session)).key)
    const others = await createTestChannel(ann)
    expect((await push()).status).toBe(201)
    expect((await push(second, others)).status).toBe(201)
    expect((await push(ann.session)).status).toBe(201)
    for (const call of [ann.key, second, ann.session]) expect((await push(call, others)).status).toBe(429)
    const bob = await createAccount(service)
    expect((await push(bob.key, await createTestChannel(bob))).status).toBe(201)
  })

  test("PATCH, DELETE and PUT of a known key don't count, and succeed when the limit is reached", async () => {
    await ann.key('PUT', `${cards}/by-key/known`, textCard())
    const path = await pushCard(ann.key, cards)
    await use({ cards: 200 })
    expect((await push()).status).toBe(429)
    expect((await ann.key('PUT', `${cards}/by-key/known`, textCard('new'))).status).toBe(200)
    expect((await ann.key('PATCH', path, { status: 'error' })).status).toBe(200)
    expect((await ann.key('DELETE', path)).status).toBe(204)
    expect((await push()).status).toBe(429)
  })

  test("an invalid card doesn't count", async () => {
    await use({ cards: 199 })
    await ann.key('POST', cards, { blocks: [] })
    expect((await push()).status).toBe(201)
  })

  test('the limit resets at 00:00 UTC', async () => {
    await use({ cards: 200 })
    clock = MIDNIGHT - 1
    const limited = await push()
    expect(limited.status).toBe(429)
    expect(limitsOf(limited)).toEqual([policy, '"cards";r=0;t=1', '1'])
    clock = MIDNIGHT
    const made = await push()
    expect(made.status).toBe(201)
    expect(limitsOf(made)).toEqual([policy, '"cards";r=199;t=86400', null])
  })

  test('422 comes before 429; a 429 is not stored for its Idempotency-Key', async () => {
    const send = (key: string, content: string) =>
      ann.key('POST', cards, textCard(content), { 'Idempotency-Key': key })
    await send('known', 'a')
    await use({ cards: 200 })
    expect((await send('known', 'b')).status).toBe(422)
    expect((await send('known', 'a')).headers.get('Idempotent-Replayed')).toBe('true')
    expect((await send('new', 'a')).status).toBe(429)
    clock = MIDNIGHT
    expect((await send('new', 'a')).status).toBe(201)
  })

  test('400 comes before 429', async () => {
    await use({ cards: 200 })
    expect((await ann.key('POST', cards, {})).status).toBe(400)
  })
})

describe('channels', () => {
  test('the 51st channel of a day returns 429', async () => {
    const policy = '"channels";q=50;w=86400'
    await use({ channels: 48 })
    const made = await createChannel()
    expect(made.status).toBe(201)
    expect(limitsOf(made)).toEqual([policy, '"channels";r=1;t=43200', null])
    expect((await createChannel(ann.session)).status).toBe(201)
    const limited = await createChannel()
    expect(limited).toMatchObject(failed(429, 'Daily channel limit reached'))
    expect(limitsOf(limited)).toEqual([policy, '"channels";r=0;t=43200', '43200'])
    clock = MIDNIGHT
    expect((await createChannel()).status).toBe(201)
  })

  test('with 45 channels used, 30 parallel requests create exactly five', async () => {
    await use({ channels: 45 })
    const responses = await times(30, () => createChannel())
    expect(statusesOf(responses)).toEqual({ 201: 5, 429: 25 })
  })

  test("deleting a channel doesn't lower the count", async () => {
    await use({ channels: 49 })
    const { body } = await createChannel()
    await ann.key('DELETE', `/channels/${body.id}`)
    expect((await createChannel()).status).toBe(429)
  })
})

describe('workspaces', () => {
  test('the fourth workspace returns 429', async () => {
    for (const status of [201, 201, 429])
      expect((await ann.session('POST', '/workspaces', { name: 'W' })).status).toBe(status)
    expect(await ann.session('POST', '/workspaces', { name: 'W' })).toMatchObject(
      failed(429, 'Workspace limit reached'),
    )
  })

  test('with one workspace, ten parallel requests on two instances create exactly two; deleting one allows another', async () => {
    const elsewhere = accountAt(other, ann)
    const responses = await times(10, i =>
      (i % 2 ? elsewhere : ann).session('POST', '/workspaces', { name: 'W' }),
    )
    expect(statusesOf(responses)).toEqual({ 201: 2, 429: 8 })
    await ann.session('DELETE', `/workspaces/${ann.workspace_id}`)
    expect((await ann.session('POST', '/workspaces', { name: 'W' })).status).toBe(201)
  })
})

test('0 lifts a limit: no 429 and no headers', async () => {
  await use({ cards: 5_000, channels: 5_000 })
  const call = withKey(lifted.url, ann.api_key)
  for (const response of [await push(call), await createChannel(call)]) {
    expect(response.status).toBe(201)
    expect(limitsOf(response)).toEqual([null, null, null])
  }
})
