// The queue of deliveries: their order, how many go out at a time, and which instance sends them.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sql } from '../../server/database/connect.ts'
import { claimTest } from '../../server/model/deliveries.ts'
import { claimDeliveries, finishDelivery, markSent } from '../../server/model/delivery-queue.ts'
import { endExpiredClaims, releaseClaim } from '../../server/model/delivery-recovery.ts'
import { recordInteraction } from '../../server/model/interactions.ts'
import { readWaitingChannels, type SlotUsage } from '../../server/model/waiting-channels.ts'
import { settle } from '../feed/scripted.ts'
import { expectActivityMatchesRows } from '../support/activity.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { settledLog } from '../support/deliveries.ts'
import { newChannel, newReply, newWorkspace, queueReplies, success } from '../support/queued.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { startTestService, type TestService } from '../support/service.ts'

const textOf = ({ body }: Received): string => JSON.parse(body).trigger.text
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i))

describe('two instances', () => {
  let services: TestService[]
  let receiver: Receiver
  beforeAll(async () => {
    // Long enough for stalled deliveries to stay, even on a busy machine.
    const timeout = { webhook_timeout_ms: 60_000 }
    const first = await startTestService({}, timeout)
    services = [first, await startTestService({}, { ...timeout, database: first.database })]
  })
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.stop())
  afterAll(async () => {
    for (const service of services.toReversed()) await service.stop()
  })

  const [first, second] = [() => pick(0), () => pick(1)]
  function pick(i: number): TestService {
    const service = services[i]
    if (!service) throw new Error('not started')
    return service
  }

  /** Sends replies one after another, alternating between the instances. */
  async function replyByTurns(scene: Scene, texts: string[]): Promise<void> {
    for (const [i, text] of texts.entries()) {
      const { url } = i % 2 === 0 ? first() : second()
      const response = await fetch(`${url}/api/channels/${scene.channel_id}/interactions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ trigger: { type: 'reply', text } }),
      })
      expect(response.status).toBe(201)
    }
  }

  test('send a channel’s interactions in order of acceptance, one at a time, each once', async () => {
    const scene = await buildScene(first(), { webhook_url: receiver.url })
    await replyByTurns(scene, numbers(40))
    await settledLog(scene)
    expect(receiver.received.map(textOf)).toEqual(numbers(40))
    expect(receiver.most_open).toBe(1)
  })

  test('send a channel’s next delivery after its receiver responded', async () => {
    receiver.behave((_, nth) => ({ kind: nth === 1 ? 'stall' : 'answer' }))
    const scene = await buildScene(first(), { webhook_url: receiver.url })
    const other = await buildScene(first(), { webhook_url: `${receiver.url}/other` })
    await replyByTurns(scene, ['a', 'b'])
    await receiver.count(1)
    await other.reply('beside')
    await settledLog(other)
    expect(receiver.received.map(textOf)).toEqual(['a', 'beside'])
    receiver.letGo()
    await settledLog(scene)
    expect(receiver.received.map(textOf)).toEqual(['a', 'beside', 'b'])
  })

  test('send deliveries that the other instance queued and didn’t send', async () => {
    const scene = await buildScene(first(), { webhook_url: receiver.url })
    // No sender is woken, so polling must find the row.
    await recordInteraction(first().sql, newReply(scene.channel_id, 'found'))
    expect((await receiver.count(1)).map(textOf)).toEqual(['found'])
  })

  test('send to other receivers while one receiver stalls for many channels', async () => {
    receiver.behave(() => ({ kind: 'stall' }))
    const { account } = await buildScene(first(), { webhook_url: null })
    const stuck = await Promise.all(
      numbers(140).map(() => newChannel(first().sql, account.workspace_id, receiver.url)),
    )
    const well = await startReceiver()
    const stick = async (channel_ids: string[]) => {
      for (const channel_id of channel_ids)
        await recordInteraction(first().sql, newReply(channel_id, 'stuck'))
    }
    // Slots that are taken in two steps are no more than slots that are taken at once.
    await stick(stuck.slice(0, 100))
    await vi.waitUntil(() => receiver.open === 100, { timeout: 40_000 })
    await stick(stuck.slice(100))
    await vi.waitUntil(() => receiver.open === 128, { timeout: 40_000 })
    const scene = await buildScene(first(), { account, webhook_url: well.url })
    await scene.reply('beside')
    await well.count(1)
    // A quarter of the slots of each instance.
    expect(receiver.most_open).toBe(128)
    receiver.behave(() => ({ kind: 'answer' }))
    receiver.letGo()
    await receiver.count(140)
    await well.stop()
  })

  test('end the delivery of a deleted channel without a trace', async () => {
    receiver.behave(() => ({ kind: 'stall' }))
    const scene = await buildScene(first(), { webhook_url: receiver.url })
    await replyByTurns(scene, ['a', 'b'])
    await receiver.count(1)
    expect((await scene.account.key('DELETE', `/channels/${scene.channel_id}`)).status).toBe(200)
    receiver.letGo()
    const other = await buildScene(first(), { webhook_url: receiver.url })
    receiver.behave(() => ({ kind: 'answer' }))
    await other.reply('after')
    await settledLog(other)
    expect(receiver.received.map(textOf)).toEqual(['a', 'after'])
  })
})

describe('an instance that stops', () => {
  let database: TestDatabase
  let receiver: Receiver
  let leaving: TestService
  let scene: Scene
  beforeEach(async () => {
    database = await createTestDatabase()
    receiver = await startReceiver()
    receiver.behave(() => ({ kind: 'stall' }))
    leaving = await startTestService({}, { database })
    scene = await buildScene(leaving, { webhook_url: receiver.url })
    for (const text of ['a', 'b']) await scene.reply(text)
    await receiver.count(1)
  })
  afterEach(async () => {
    await receiver.stop()
    await database.drop()
  })

  const statuses = () =>
    database.sql<{ status: string; error: string | null }[]>`
      select status, error from webhook_deliveries order by place`

  test('waits for receivers that respond, and leaves pending deliveries to the next start', async () => {
    const stopping = leaving.stop()
    receiver.letGo()
    await stopping
    expect(await statuses()).toMatchObject([{ status: 'success' }, { status: 'pending' }])
    receiver.behave(() => ({ kind: 'answer' }))
    const next = await startTestService({}, { database })
    expect((await receiver.count(2)).map(textOf)).toEqual(['a', 'b'])
    await next.stop()
  })

  test('closes deliveries without a response within a few seconds as interrupted', async () => {
    await leaving.stop()
    expect(await statuses()).toMatchObject([
      { status: 'failed', error: 'interrupted: the service stopped while it was sent' },
      { status: 'pending', error: null },
    ])
  })
})

describe('deliveries', () => {
  let database: TestDatabase
  let sql: Sql
  beforeAll(async () => {
    database = await createTestDatabase()
    sql = database.sql
  })
  beforeEach(async () => {
    await sql`delete from users`
  })
  // Whatever the outcome of a delivery, the daily activity counts it.
  afterEach(() => expectActivityMatchesRows(sql))
  afterAll(() => database.drop())

  async function claim(limit = 10, full: string[] = []) {
    const waiting = await readWaitingChannels(sql, { free: 2 * limit, owners: [], busy: [], full })
    const channel_ids = waiting.slice(0, limit).map(({ channel_id }) => channel_id)
    return (await claimDeliveries(sql, randomUUID(), channel_ids)).claimed
  }
  const texts = (claimed: { body: string }[]) =>
    claimed.map(({ body }): string => JSON.parse(body).trigger.text)

  const queue = (...replies: string[]) => queueReplies(sql, replies)

  const status = async () => {
    const rows = await sql<{ text: string; status: string; error: string | null }[]>`
      select i.trigger ->> 'text' as text, d.status, d.error
      from webhook_deliveries d join interactions i using (channel_id, number) order by place`
    return rows.map(({ text, status, error }) => (error ? [text, status, error] : [text, status]))
  }

  test('are claimed oldest first, and a channel’s next one only when the last has ended', async () => {
    await queue('a', 'b')
    const [one] = await claim()
    expect(await claim()).toEqual([])
    if (!one) throw new Error('nothing claimed')
    await finishDelivery(sql, one, success)
    expect(texts(await claim())).toEqual(['b'])
    expect(texts([one])).toEqual(['a'])
  })

  test('of a channel are in only one of ten concurrent claims', async () => {
    await Promise.all(numbers(12).map(text => queue(text, 'later')))
    const claims = await Promise.all(numbers(10).map(() => claim(5)))
    // A claim skips channels that another claim has locked. The next claim finds them.
    claims.push(await claim(100))
    expect(texts(claims.flat()).sort()).toEqual(numbers(12).sort())
  })

  test('of the channel that waited longest come first', async () => {
    const longest = await queue('a')
    await queue('b')
    await recordInteraction(sql, newReply(longest, 'a2'))
    expect(texts(await claim(1))).toEqual(['a'])
    expect(texts(await claim(1))).toEqual(['b'])
  })

  test('of the owner with the fewest slots come first, then those that waited longest', async () => {
    const [first, second, third] = [await queue('a'), await queue('b'), await queue('c')]
    const waiting = await readWaitingChannels(sql, { free: 10, owners: [], busy: [], full: [] })
    expect(waiting.map(({ channel_id }) => channel_id)).toEqual([first, second, third])
    const owners = waiting.slice(0, 2).map(({ owner_id }, i) => ({ owner_id, count: 2 - i }))
    const later = await readWaitingChannels(sql, { free: 10, owners, busy: [], full: [] })
    expect(later.map(({ channel_id }) => channel_id)).toEqual([third, second, first])
  })

  test('wait while their owner has as many slots as are free, or enough at the host', async () => {
    const [first, second] = [await queue('a'), await queue('b')]
    const waiting = await readWaitingChannels(sql, { free: 10, owners: [], busy: [], full: [] })
    const { owner_id = '' } = waiting[0] ?? {}
    const owners = [{ owner_id, count: 3 }]
    const cases: [Partial<SlotUsage>, string[]][] = [
      [{}, [second, first]],
      [{ free: 3 }, [second]],
      [{ busy: [{ owner_id, host: 'receiver.example' }] }, [second]],
      [{ busy: [{ owner_id, host: 'other.example' }] }, [second, first]],
      [{ full: ['receiver.example'] }, []],
    ]
    for (const [taken, left] of cases) {
      const read = await readWaitingChannels(sql, { free: 4, owners, busy: [], full: [], ...taken })
      expect(read.map(({ channel_id }) => channel_id)).toEqual(left)
    }
  })

  test('of a channel with many take turns with the owner’s other channels', async () => {
    const workspace_id = await newWorkspace(sql)
    const channels: string[] = []
    for (let i = 0; i < 3; i++) channels.push(await newChannel(sql, workspace_id, 'http://receiver.example/'))
    const [long = '', ...others] = channels
    for (const text of numbers(30)) await recordInteraction(sql, newReply(long, text))
    for (const id of others) for (const text of ['x', 'y']) await recordInteraction(sql, newReply(id, text))
    const order: string[] = []
    for (let i = 0; i < 6; i++) {
      const [one] = await claim(1)
      if (!one) throw new Error('nothing claimed')
      order.push(one.channel_id)
      await finishDelivery(sql, one, success)
    }
    expect(order).toEqual([...channels, ...channels])
  })

  test('to a full host wait', async () => {
    await queue('a')
    expect(await claim(10, ['receiver.example'])).toEqual([])
    expect(texts(await claim(10, ['other.example']))).toEqual(['a'])
  })

  test('that are queued while the last one is claimed are not lost', async () => {
    const channel_id = await queue('a')
    const [one] = await claim()
    if (!one) throw new Error('nothing claimed')
    await finishDelivery(sql, one, success)
    const dry = claim()
    await recordInteraction(sql, newReply(channel_id, 'b'))
    expect(texts([...(await dry), ...(await claim())])).toEqual(['b'])
  })

  test('of a claim whose response was lost are due again', async () => {
    const channel_id = await queue('a', 'b')
    const lost = randomUUID()
    await claimDeliveries(sql, lost, [channel_id])
    await releaseClaim(sql, lost)
    expect(await status()).toEqual([
      ['a', 'pending'],
      ['b', 'pending'],
    ])
    expect(texts(await claim())).toEqual(['a'])
    // Releasing a claim twice has no effect.
    await releaseClaim(sql, lost)
    expect((await status())[0]).toEqual(['a', 'sending'])
  })

  test('of an instance that died before sending are due again, and only the new claim may send them', async () => {
    await queue('a', 'b')
    const [one] = await claim()
    if (!one) throw new Error('nothing claimed')
    await endExpiredClaims(sql)
    expect(await status()).toEqual([
      ['a', 'sending'],
      ['b', 'pending'],
    ])
    await sql`update webhook_deliveries set claimed_at = claimed_at - interval '15 seconds'`
    await endExpiredClaims(sql)
    const [again] = await claim()
    expect(again).toMatchObject({ id: one.id, body: one.body })

    // The instance was only slow.
    expect(await markSent(sql, one, await settle(sql))).toBe(false)
    await finishDelivery(sql, one, { ...success, status: 'failed', error: 'late' })
    expect((await status())[0]).toEqual(['a', 'sending'])
    if (!again) throw new Error('nothing claimed')
    expect(await markSent(sql, again, await settle(sql))).toBe(true)
    await finishDelivery(sql, again, success)
    expect((await status())[0]).toEqual(['a', 'success'])
  })

  test('of an instance that died after sending are closed, not repeated, and the channel goes on', async () => {
    await queue('a', 'b')
    const [one] = await claim()
    if (!one) throw new Error('nothing claimed')
    expect(await markSent(sql, one, await settle(sql))).toBe(true)
    await sql`update webhook_deliveries set claimed_at = claimed_at - interval '15 seconds'`
    await endExpiredClaims(sql)
    const interrupted = 'interrupted: the service stopped while it was sent'
    expect(await status()).toEqual([
      ['a', 'failed', interrupted],
      ['b', 'pending'],
    ])
    expect(texts(await claim())).toEqual(['b'])

    // The instance was only slow, and knows the true outcome.
    await finishDelivery(sql, one, success)
    expect(await status()).toEqual([
      ['a', 'success'],
      ['b', 'sending'],
    ])
    expect(await claim()).toEqual([])
  })

  test('of a test that was lost before sending are closed, since the owner no longer waits', async () => {
    const channel_id = await queue()
    await claimTest(sql, channel_id, Date.now())
    await endExpiredClaims(sql, 0)
    const [row] = await sql`select status from webhook_deliveries where channel_id = ${channel_id}`
    expect(row).toEqual({ status: 'failed' })
  })

  test('of a channel that is being deleted are skipped', async () => {
    const channel_id = await queue('a')
    await sql.begin(async tx => {
      await tx`delete from channels where id = ${channel_id}`
      expect(await claim()).toEqual([])
    })
    expect(await status()).toEqual([])
  })
})
