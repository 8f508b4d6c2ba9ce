// The daily card limit under concurrent writes: exactly the remaining cards are created, on one and on two instances.
import { expect, test } from 'vitest'
import { utcDay } from '../../server/rate-limit.ts'
import { withKey } from '../support/account.ts'
import { createTestChannel, type Owner, startTestService } from '../support/service.ts'
import { startInstances } from './start-instances.ts'

const { here, there } = await startInstances({ DAILY_CARD_LIMIT: '200' })

const card = { blocks: [{ type: 'divider' }] }

async function ownerWith190Used(): Promise<Owner> {
  const owner = await here.createOwner()
  await here.sql`
    insert into daily_usage (user_id, day, cards) values (${owner.user_id}, ${utcDay(Date.now())}, 190)`
  return owner
}

async function post200(calls: Owner['call'][], channel_ids: string[]): Promise<void> {
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, i) => {
      const call = calls[i % calls.length]
      const id = channel_ids[Math.floor(i / calls.length) % channel_ids.length]
      return call?.('POST', `/channels/${id}/cards`, card)
    }),
  )
  const statuses = responses.map(response => response?.status)
  expect(statuses.filter(status => status === 201)).toHaveLength(10)
  expect(statuses.filter(status => status === 429)).toHaveLength(190)
}

test.each([
  ['one channel', 1],
  ['three channels', 3],
])(
  'with 190 of 200 cards used, 200 concurrent POSTs to %s return ten 201, on one and on two instances',
  async (_, count) => {
    for (const instances of [1, 2]) {
      const owner = await ownerWith190Used()
      const calls = [owner.call, withKey(there.url, owner.api_key)].slice(0, instances)
      const channel_ids = await Promise.all(Array.from({ length: count }, () => createTestChannel(owner)))
      await post200(calls, channel_ids)
      const [{ cards = 0 } = {}] = await here.sql<{ cards: number }[]>`
      select count(*)::integer as cards from cards where channel_id = any(${channel_ids}::uuid[])`
      expect(cards).toBe(10)
      const [usage] = await here.sql`select cards from daily_usage where user_id = ${owner.user_id}`
      expect(usage).toMatchObject({ cards: 200 })
    }
  },
)

test('RateLimit counts cards of the other instance', async () => {
  const owner = await here.createOwner()
  const path = `/channels/${await createTestChannel(owner)}/cards`
  const other = withKey(there.url, owner.api_key)
  const remaining = (response: { headers: Headers }) =>
    /r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1]
  expect(remaining(await owner.call('POST', path, card))).toBe('199')
  for (let i = 0; i < 5; i++) await other('POST', path, card)
  expect(remaining(await owner.call('POST', path, card))).toBe('193')
})

test('a new day begins with the whole quota', async () => {
  let now = Date.parse('2026-01-31T23:59:59.000Z')
  const service = await startTestService({ DAILY_CARD_LIMIT: '3' }, { now: () => now })
  const owner = await service.createOwner()
  const path = `/channels/${await createTestChannel(owner)}/cards`
  const post = async () => (await owner.call('POST', path, card)).status
  expect(await Promise.all([post(), post(), post(), post()]).then(all => all.sort())).toEqual([
    201, 201, 201, 429,
  ])
  now += 2_000
  expect([await post(), await post(), await post(), await post()]).toEqual([201, 201, 201, 429])
  await service.stop()
})
