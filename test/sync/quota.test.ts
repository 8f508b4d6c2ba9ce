// The daily card limit under concurrent writes: exactly the remaining cards are created, on one and on two instances.
import { expect, test } from 'vitest'
import { utcDay } from '../../server/rate-limit.ts'
import { type Account, accountAt, createAccount } from '../support/account.ts'
import { createTestCards, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { runInstances, runService } from '../support/running.ts'
import { times } from '../support/times.ts'

const { here, there } = await runInstances({ DAILY_CARD_LIMIT: '200' })

async function ownerWith190Used(): Promise<Account> {
  const owner = await createAccount(here)
  await here.sql`
    insert into daily_usage (user_id, day, cards) values (${owner.user_id}, ${utcDay(Date.now())}, 190)`
  return owner
}

async function post200(accounts: Account[], channel_ids: string[]): Promise<void> {
  const responses = await times(200, i => {
    const id = channel_ids[Math.floor(i / accounts.length) % channel_ids.length]
    return accounts[i % accounts.length]?.key('POST', `/channels/${id}/cards`, textCard())
  })
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
      const channel_ids = await times(count, () => createChannel(owner))
      await post200([owner, accountAt(there, owner)].slice(0, instances), channel_ids)
      expect(await here.sql`select from cards where channel_id = any(${channel_ids}::uuid[])`).toHaveLength(
        10,
      )
      const [usage] = await here.sql`select cards from daily_usage where user_id = ${owner.user_id}`
      expect(usage).toMatchObject({ cards: 200 })
    }
  },
)

test('RateLimit counts cards of the other instance', async () => {
  const ann = await createAccount(here)
  const path = await createTestCards(ann)
  const post = ({ key }: Account) => key('POST', path, textCard())
  const remaining = (response: { headers: Headers }) =>
    /r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1]
  expect(remaining(await post(ann))).toBe('199')
  for (let i = 0; i < 5; i++) await post(accountAt(there, ann))
  expect(remaining(await post(ann))).toBe('193')
})

let now = Date.parse('2026-01-31T23:59:59.000Z')
const single = await runService({ DAILY_CARD_LIMIT: '3' }, { now: () => now })

test('a new day begins with the whole quota', async () => {
  const ann = await createAccount(single)
  const path = await createTestCards(ann)
  const post = async () => (await ann.key('POST', path, textCard())).status
  expect((await times(4, post)).sort()).toEqual([201, 201, 201, 429])
  now += 2_000
  expect([await post(), await post(), await post(), await post()]).toEqual([201, 201, 201, 429])
})
