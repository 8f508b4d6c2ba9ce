// In which order deliveries are sent, how many at a time, and by whom.
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
    // So long that what stalls is still there on a busy machine.
    const patience = { webhook_timeout_ms: 60_000 }
    const first = await startTestService({}, patience)
    services = [first, await startTestService({}, { ...patience, database: first.database })]
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

  /** Replies one after another, by turns on either instance. */
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

  test('send a channel’s interactions in the order of acceptance, one at a time, each once', async () => {
    const scene = await buildScene(first(), { webhook_url: receiver.url })
    await replyByTurns(scene, numbers(40))
    await settledLog(scene)
    expect(receiver.received.map(textOf)).toEqual(numbers(40))
    expect(receiver.most_open).toBe(1)
  })

  test('hold a channel’s next one until its receiver answered', async () => {
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

  test('deliver what the other one accepted and did not send', async () => {
    const scene = await buildScene(first(), { webhook_url: receiver.url })
    // Nobody is woken: the row is found by looking.
    await recordInteraction(first().sql, newReply(scene.channel_id, 'found'))
    expect((await receiver.count(1)).map(textOf)).toEqual(['found'])
  })

  test('a receiver that stalls for all its channels holds up nobody else', async () => {
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
    // DeliverySlots that are filled in parts are no more than those that are filled at once.
    await stick(stuck.slice(0, 100))
    await vi.waitUntil(() => receiver.open === 100, { timeout: 40_000 })
    await stick(stuck.slice(100))
    await vi.waitUntil(() => receiver.open === 128, { timeout: 40_000 })
    const scene = await buildScene(first(), { account, webhook_url: well.url })
    await scene.reply('beside')
    await well.count(1)
    // A quarter of the places on each instance, and no more.
    expect(receiver.most_open).toBe(128)
    receiver.behave(() => ({ kind: 'answer' }))
    receiver.letGo()
    await receiver.count(140)
    await well.stop()
  })

  test('a deleted channel’s delivery ends quietly', async () => {
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

  test('waits for a receiver that answers, and leaves what waits for the next start', async () => {
    const stopping = leaving.stop()
    receiver.letGo()
    await stopping
    expect(await statuses()).toMatchObject([{ status: 'success' }, { status: 'pending' }])
    receiver.behave(() => ({ kind: 'answer' }))
    const next = await startTestService({}, { database })
    expect((await receiver.count(2)).map(textOf)).toEqual(['a', 'b'])
    await next.stop()
  })

  test('closes what its receiver does not answer in a few seconds, as interrupted', async () => {
    await leaving.stop()
    expect(await statuses()).toMatchObject([
      { status: 'failed', error: 'interrupted: the service stopped while it was sent' },
      { status: 'pending', error: null },
    ])
  })
})

describe('the rows', () => {
  let database: TestDatabase
  let sql: Sql
  beforeAll(async () => {
    database = await createTestDatabase()
    sql = database.sql
  })
  beforeEach(async () => {
    await sql`delete from users`
  })
  // Whatever became of a delivery: it is counted as what it is.
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

  test('are claimed the oldest first, and a channel’s next only when the last is finished', async () => {
    await queue('a', 'b')
    const [one] = await claim()
    expect(await claim()).toEqual([])
    if (!one) throw new Error('nothing claimed')
    await finishDelivery(sql, one, success)
    expect(texts(await claim())).toEqual(['b'])
    expect(texts([one])).toEqual(['a'])
  })

  test('of ten claims at once each channel is in one', async () => {
    await Promise.all(numbers(12).map(text => queue(text, 'later')))
    const claims = await Promise.all(numbers(10).map(() => claim(5)))
    // A claim may pass by what another one looks at: the next look finds it.
    claims.push(await claim(100))
    expect(texts(claims.flat()).sort()).toEqual(numbers(12).sort())
  })

  test('the channel that waited longest comes first', async () => {
    const longest = await queue('a')
    await queue('b')
    await recordInteraction(sql, newReply(longest, 'a2'))
    expect(texts(await claim(1))).toEqual(['a'])
    expect(texts(await claim(1))).toEqual(['b'])
  })

  test('are read for the owner with the fewest on the way first, then for those that waited longest', async () => {
    const [first, second, third] = [await queue('a'), await queue('b'), await queue('c')]
    const waiting = await readWaitingChannels(sql, { free: 10, owners: [], busy: [], full: [] })
    expect(waiting.map(({ channel_id }) => channel_id)).toEqual([first, second, third])
    const owners = waiting.slice(0, 2).map(({ owner_id }, i) => ({ owner_id, count: 2 - i }))
    const later = await readWaitingChannels(sql, { free: 10, owners, busy: [], full: [] })
    expect(later.map(({ channel_id }) => channel_id)).toEqual([third, second, first])
  })

  test('are left while their owner has as many on the way as there are free places, or enough at the host', async () => {
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

  test('of a channel with much that waits take turns with the owner’s other channels', async () => {
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

  test('of a busy host stay where they are', async () => {
    await queue('a')
    expect(await claim(10, ['receiver.example'])).toEqual([])
    expect(texts(await claim(10, ['other.example']))).toEqual(['a'])
  })

  test('queued while the queue runs dry are not forgotten', async () => {
    const channel_id = await queue('a')
    const [one] = await claim()
    if (!one) throw new Error('nothing claimed')
    await finishDelivery(sql, one, success)
    const dry = claim()
    await recordInteraction(sql, newReply(channel_id, 'b'))
    expect(texts([...(await dry), ...(await claim())])).toEqual(['b'])
  })

  test('of a claim whose answer was lost wait again: nothing of it was sent', async () => {
    const channel_id = await queue('a', 'b')
    const lost = randomUUID()
    await claimDeliveries(sql, lost, [channel_id])
    await releaseClaim(sql, lost)
    expect(await status()).toEqual([
      ['a', 'pending'],
      ['b', 'pending'],
    ])
    expect(texts(await claim())).toEqual(['a'])
    // The name of a claim that is over puts nothing back.
    await releaseClaim(sql, lost)
    expect((await status())[0]).toEqual(['a', 'sending'])
  })

  test('of an instance that died before it sent them wait again, and only their new owner may send them', async () => {
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

    // It was not dead, only slow.
    expect(await markSent(sql, one, await settle(sql))).toBe(false)
    await finishDelivery(sql, one, { ...success, status: 'failed', error: 'late' })
    expect((await status())[0]).toEqual(['a', 'sending'])
    if (!again) throw new Error('nothing claimed')
    expect(await markSent(sql, again, await settle(sql))).toBe(true)
    await finishDelivery(sql, again, success)
    expect((await status())[0]).toEqual(['a', 'success'])
  })

  test('of an instance that died after it sent them are closed, not sent again, and the channel goes on', async () => {
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

    // It was not dead, only slow: what it knows is better.
    await finishDelivery(sql, one, success)
    expect(await status()).toEqual([
      ['a', 'success'],
      ['b', 'sending'],
    ])
    expect(await claim()).toEqual([])
  })

  test('of a test that was lost before it was sent are closed: nobody waits for its answer', async () => {
    const channel_id = await queue()
    await claimTest(sql, channel_id, Date.now())
    await endExpiredClaims(sql, 0)
    const [row] = await sql`select status from webhook_deliveries where channel_id = ${channel_id}`
    expect(row).toEqual({ status: 'failed' })
  })

  test('of a channel that is being deleted are left', async () => {
    const channel_id = await queue('a')
    await sql.begin(async tx => {
      await tx`delete from channels where id = ${channel_id}`
      expect(await claim()).toEqual([])
    })
    expect(await status()).toEqual([])
  })
})
