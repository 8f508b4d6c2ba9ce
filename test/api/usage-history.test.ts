// Usage history by UTC day: cards, channels, interactions and deliveries.
import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteOldActivity } from '../../server/model/activity.ts'
import { deleteOldInteractions } from '../../server/model/interactions.ts'
import type { UsageDay, UsageHistory } from '../../shared/usage.ts'
import { type Account, createAccount, createTestWorkspace } from '../support/account.ts'
import { expectActivityMatchesRows } from '../support/activity.ts'
import { pushCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { settledLog } from '../support/deliveries.ts'
import { invalid } from '../support/errors.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { runInstance, runService, runWithOwner } from '../support/running.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { callTo } from '../support/service.ts'

const nothing = { cards: 0, channels: 0, interactions: 0, delivered: 0, failed: 0 }

async function read({ session }: Account, query = ''): Promise<UsageDay[]> {
  const { body, status } = await session<{ days: UsageDay[] }>('GET', `/usage/history${query}`)
  expect(status).toBe(200)
  return body.days
}

describe('the days', async () => {
  let clock = Date.parse('2026-03-01T12:00:00.000Z')
  const { service, ann } = await runWithOwner({}, { now: () => clock })

  const daysOf = async (query = '') => (await read(ann, query)).map(({ day }) => day)

  test('the days of the usage are the last thirty, oldest first, with zeros', async () => {
    const days = await read(ann)
    expect(days).toHaveLength(30)
    expect(days[0]).toStrictEqual({ day: '2026-01-31', ...nothing })
    expect(days.slice(-2)).toStrictEqual([
      { day: '2026-02-28', ...nothing },
      { day: '2026-03-01', ...nothing },
    ])
    expect([...days].sort((a, b) => (a.day < b.day ? -1 : 1))).toEqual(days)
  })

  test('the days of the usage are as many as requested, up to ninety', async () => {
    expect(await daysOf('?days=1')).toEqual(['2026-03-01'])
    expect(await daysOf('?days=2')).toEqual(['2026-02-28', '2026-03-01'])
    const ninety = await daysOf('?days=90')
    expect(ninety).toHaveLength(90)
    expect(ninety[0]).toBe('2025-12-02')
  })

  test.each(['0', '91', '-1', '1.5', '', 'x', '1e1', '%2030', '99999999999'])(
    'the days of the usage requested as "%s" return 400',
    async days => {
      expect(await ann.session('GET', `/usage/history?days=${days}`)).toMatchObject(
        invalid('days must be a whole number from 1 to 90'),
      )
    },
  )

  test('start at 00:00 UTC and have the counts of all channels', async () => {
    const bob = await createAccount(service)
    const { sql } = service
    const counted = (user_id: string, day: string, channel_id: string, what: string, count: number) => sql`
      insert into daily_activity ${sql({ user_id, day, channel_id, what, count })}`
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
    await sql`
      insert into daily_usage ${sql({ user_id: ann.user_id, day: '2026-02-27', cards: 7, channels: 2 })}`
    await counted(ann.user_id, '2026-02-27', one, 'interaction', 3)
    await counted(ann.user_id, '2026-02-27', two, 'interaction', 4)
    await counted(ann.user_id, '2026-02-27', two, 'delivered', 2)
    await counted(ann.user_id, '2026-02-27', two, 'failed', 1)
    await counted(ann.user_id, '2026-01-30', one, 'interaction', 99)
    await counted(bob.user_id, '2026-02-27', crypto.randomUUID(), 'interaction', 1_000)
    const days = await read(ann)
    const seen = { day: '2026-02-27', cards: 7, channels: 2, interactions: 7, delivered: 2, failed: 1 }
    expect(days.filter(({ interactions }) => interactions > 0)).toEqual([seen])
    expect((await read(bob)).at(-3)).toEqual({ day: '2026-02-27', ...nothing, interactions: 1_000 })

    clock = Date.parse('2026-03-01T23:59:59.999Z')
    expect((await daysOf()).at(-1)).toBe('2026-03-01')
    clock += 1
    expect((await daysOf()).at(-1)).toBe('2026-03-02')
    expect((await daysOf())[0]).toBe('2026-02-01')
  })

  test('the days of the usage come with their busiest channels, without deleted ones and those of others', async () => {
    const cleo = await createAccount(service)
    const made = [await createChannel(cleo, { name: 'Calm' }), await createChannel(cleo, { name: 'Busy' })]
    const day = '2026-02-27'
    for (const [i, id] of made.entries())
      await service.sql`insert into daily_activity ${service.sql(
        [
          { user_id: cleo.user_id, day, channel_id: id, what: 'interaction', count: i + 1 },
          { user_id: cleo.user_id, day, channel_id: id, what: 'failed', count: i },
        ].filter(({ count }) => count > 0),
      )}`
    const { body } = await cleo.session<UsageHistory>('GET', '/usage/history')
    const none = { icon: '📡', delivered: 0 }
    expect(body.channels).toEqual([
      { id: made[1], name: 'Busy', ...none, interactions: 2, failed: 1 },
      { id: made[0], name: 'Calm', ...none, interactions: 1, failed: 0 },
    ])
    const { body: earlier } = await cleo.session<UsageHistory>('GET', '/usage/history?days=1')
    expect(earlier.channels).toEqual([])
  })

  test('the days of the usage older than ninety are deleted, and no others', async () => {
    const before = await read(ann, '?days=90')
    const user_id = ann.user_id
    const old = { user_id, day: '2025-12-02', channel_id: crypto.randomUUID(), what: 'failed', count: 1 }
    await service.sql`insert into daily_activity ${service.sql(old)}`
    await deleteOldActivity(service.sql, clock)
    expect(await service.sql`select from daily_activity where channel_id = ${old.channel_id}`).toHaveLength(0)
    expect(await read(ann, '?days=90')).toEqual(before)
  })
})

describe('the counts', async () => {
  let receiver: Receiver
  let ann: Account
  const service = await runService({ WORKSPACE_LIMIT: '0' })
  beforeEach(async () => {
    receiver = await startReceiver()
    ann = await createAccount(service)
    return () => receiver.stop()
  })

  /** Two days: a test that runs at midnight counts as any other. */
  async function totals(account = ann): Promise<Omit<UsageDay, 'day'>> {
    const sum = { ...nothing }
    for (const { day: _, ...counts } of await read(account, '?days=2')) {
      for (const name of ['cards', 'channels', 'interactions', 'delivered', 'failed'] as const)
        sum[name] += counts[name]
    }
    return sum
  }

  const scene = (fields: object = {}) => buildScene(service, { account: ann, ...fields })
  const hooked = () => scene({ webhook_url: receiver.url })

  test('the usage counts cards and channels, even without a limit and after they are deleted', async () => {
    const channel_id = await createChannel(ann)
    const cards = `/channels/${channel_id}/cards`
    await pushCard(ann.key, cards)
    await ann.key('DELETE', await pushCard(ann.session, cards))
    await ann.key('PUT', `${cards}/by-key/k`, textCard())
    await ann.key('PUT', `${cards}/by-key/k`, textCard())
    await ann.key('DELETE', `/channels/${channel_id}`)
    expect(await totals()).toEqual({ ...nothing, cards: 3, channels: 1 })
  })

  test('the usage counts every interaction once, over all workspaces; not errors and tests', async () => {
    const here = await scene()
    const elsewhere = { ...ann, workspace_id: await createTestWorkspace(ann.session) }
    const there = await buildScene(service, { account: elsewhere, webhook_url: receiver.url })
    const interaction_id = crypto.randomUUID()
    await here.click({ interaction_id })
    await here.click({ interaction_id })
    await here.reply('Hello')
    await here.interact({ trigger: { type: 'header_action', action_id: here.action_id } })
    await there.interact({
      card_id: there.card_id,
      trigger: { type: 'input_change', block_id: 'region', value: 'eu' },
    })
    expect((await here.reply(' ')).status).toBe(400)
    expect((await ann.session('POST', `/channels/${there.channel_id}/webhook-test`, {})).status).toBe(200)
    await settledLog(there)
    expect(await totals()).toMatchObject({ interactions: 4, delivered: 1, failed: 0 })
    expect(await totals(await createAccount(service))).toEqual(nothing)
  })

  test('the usage counts finished deliveries, redeliveries too, by outcome', async () => {
    receiver.behave((_, nth) => ({ kind: 'answer', status: nth === 2 ? 500 : 204 }))
    const hook = await hooked()
    await hook.reply('goes well')
    const { body } = await hook.reply('fails')
    await settledLog(hook)
    expect(await totals()).toMatchObject({ interactions: 2, delivered: 1, failed: 1 })
    await ann.session(
      'POST',
      `/channels/${hook.channel_id}/interactions/${body.interaction_id}/redeliver`,
      {},
    )
    await settledLog(hook)
    expect(await totals()).toMatchObject({ interactions: 2, delivered: 2, failed: 1 })
  })

  test("the usage doesn't count a waiting delivery", async () => {
    receiver.behave(() => ({ kind: 'stall' }))
    const hook = await hooked()
    await hook.reply('waits')
    await receiver.hasReceived(1)
    expect(await totals()).toMatchObject({ interactions: 1, delivered: 0, failed: 0 })
    receiver.letGo()
    await settledLog(hook)
    expect(await totals()).toMatchObject({ delivered: 1 })
  })

  test('the usage stays after the card, channel or workspace is deleted, and after retention', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const hook = await buildScene(service, { account: { ...ann, workspace_id }, webhook_url: receiver.url })
    await hook.click()
    await hook.reply('Hello')
    await settledLog(hook)
    const seen = { cards: 1, channels: 1, interactions: 2, delivered: 2, failed: 0 }
    expect(await totals()).toEqual(seen)
    await ann.key('DELETE', `/channels/${hook.channel_id}/cards/${hook.card_id}`)
    expect(await totals()).toEqual(seen)
    await service.sql`
      update interactions set created_at = created_at - interval '8 days' where channel_id = ${hook.channel_id}`
    await deleteOldInteractions(service.sql, 7)
    expect(await service.sql`select from interactions where channel_id = ${hook.channel_id}`).toHaveLength(0)
    expect(await totals()).toEqual(seen)
    await ann.key('DELETE', `/channels/${hook.channel_id}`)
    expect(await totals()).toEqual(seen)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
    expect(await totals()).toEqual(seen)
  })

  test('the usage is exact with many interactions on two instances while channels are deleted', async () => {
    const other = await runInstance(service)
    const hooks: Scene[] = []
    for (let i = 0; i < 6; i++) hooks.push(await hooked())
    const doomed = hooks.slice(0, 2)
    const reply = async (hook: Scene, i: number) => {
      const base = i % 2 === 0 ? service.url : other.url
      const { status } = await callTo(`${base}/api`)('POST', `/channels/${hook.channel_id}/interactions`, {
        trigger: { type: 'reply', text: String(i) },
      })
      expect([201, 404]).toContain(status)
      return status === 201 ? 1 : 0
    }
    const replies = hooks.flatMap(hook => Array.from({ length: 20 }, (_, i) => reply(hook, i)))
    const deleted = doomed.map(({ channel_id }) => ann.key('DELETE', `/channels/${channel_id}`))
    const taken = await Promise.all(replies)
    expect((await Promise.all(deleted)).map(({ status }) => status)).toEqual([200, 200])
    for (const hook of hooks.slice(2)) await settledLog(hook)
    expect((await totals()).interactions).toBe(taken.filter(one => one === 1).length)
    await expectActivityMatchesRows(service.sql)
  })

  test('the migration counts earlier interactions once', async () => {
    const hook = await hooked()
    await hook.reply('one')
    await hook.click()
    await settledLog(hook)
    await ann.session('POST', `/channels/${hook.channel_id}/webhook-test`, {})
    const migration = await readFile(
      new URL('../../migrations/011_daily_activity.sql', import.meta.url),
      'utf8',
    )
    const { sql } = service
    await sql`drop table daily_activity`
    await sql.unsafe(migration)
    await expectActivityMatchesRows(sql)
    expect(await totals()).toMatchObject({ interactions: 2, delivered: 2, failed: 0 })
  })
})
