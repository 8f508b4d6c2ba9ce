// The queue of deliveries: their order, claims, and instances that died.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { claimTest } from '../../server/model/deliveries.ts'
import {
  claimDeliveries,
  finishDelivery,
  readWaitingChannels,
  type SlotUsage,
} from '../../server/model/delivery-queue.ts'
import { endExpiredClaims, releaseClaim } from '../../server/model/delivery-recovery.ts'
import { recordInteraction } from '../../server/model/interactions.ts'
import { INTERRUPTED } from '../support/deliveries.ts'
import {
  newChannel,
  newReply,
  newWorkspace,
  onlyOne,
  PUBLIC_URL,
  runQueue,
  success,
} from '../support/queued.ts'
import { textOf } from '../support/receiver.ts'
import { times } from '../support/times.ts'

const { sql, queue, claimIn, mark } = await runQueue()
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i))

describe('deliveries', () => {
  const noSlots: SlotUsage = { free: 10, owners: [], busy: [], full: [] }
  async function waitingIds(usage: Partial<SlotUsage> = {}): Promise<string[]> {
    const waiting = await readWaitingChannels(sql, { ...noSlots, ...usage })
    return waiting.map(({ channel_id }) => channel_id)
  }

  const claim = async (limit = 10) => claimIn((await waitingIds({ free: 2 * limit })).slice(0, limit))
  const claimOne = async () => onlyOne(await claim(1))
  const texts = (claimed: { body: string }[]) => claimed.map(textOf)
  const expireClaims = async () => {
    await sql`update webhook_deliveries set claimed_at = claimed_at - interval '15 seconds'`
    await endExpiredClaims(sql)
  }

  const status = async () => {
    const rows = await sql<{ text: string; status: string; error: string | null }[]>`
      select i.trigger ->> 'text' as text, d.status, d.error
      from webhook_deliveries d join interactions i using (channel_id, number) order by place`
    return rows.map(({ text, status, error }) => `${text} ${status}${error ? `: ${error}` : ''}`)
  }

  test('deliveries are claimed oldest first, and a channel’s next one only when the last has ended', async () => {
    await queue('a', 'b')
    const one = await claimOne()
    expect(await claim()).toEqual([])
    await finishDelivery(sql, one, success)
    expect(texts(await claim())).toEqual(['b'])
    expect(texts([one])).toEqual(['a'])
  })

  test('deliveries of a channel are in only one of ten concurrent claims', async () => {
    await times(12, i => queue(String(i), 'later'))
    const claims = await times(10, () => claim(5))
    // A claim skips channels that another claim has locked. The next claim finds them.
    claims.push(await claim(100))
    expect(texts(claims.flat()).sort()).toEqual(numbers(12).sort())
  })

  test('deliveries of the channel that waited longest come first', async () => {
    const longest = await queue('a')
    await queue('b')
    await recordInteraction(sql, newReply(longest, 'a2'))
    expect(texts(await claim(1))).toEqual(['a'])
    expect(texts(await claim(1))).toEqual(['b'])
  })

  test('deliveries of the owner with the fewest slots come first, then those that waited longest', async () => {
    const [first, second, third] = [await queue('a'), await queue('b'), await queue('c')]
    expect(await waitingIds()).toEqual([first, second, third])
    const waiting = await readWaitingChannels(sql, noSlots)
    const owners = waiting.slice(0, 2).map(({ owner_id }, i) => ({ owner_id, count: 2 - i }))
    expect(await waitingIds({ owners })).toEqual([third, second, first])
  })

  test('deliveries wait while their owner has as many slots as are free, or enough at the host', async () => {
    const [first, second] = [await queue('a'), await queue('b')]
    const { owner_id = '' } = (await readWaitingChannels(sql, noSlots))[0] ?? {}
    const owners = [{ owner_id, count: 3 }]
    const cases: [Partial<SlotUsage>, string[]][] = [
      [{}, [second, first]],
      [{ free: 3 }, [second]],
      [{ busy: [{ owner_id, host: 'receiver.example' }] }, [second]],
      [{ busy: [{ owner_id, host: 'other.example' }] }, [second, first]],
      [{ full: ['receiver.example'] }, []],
      [{ full: ['other.example'] }, [second, first]],
    ]
    for (const [usage, left] of cases) expect(await waitingIds({ free: 4, owners, ...usage })).toEqual(left)
  })

  test('deliveries of a channel with many take turns with the owner’s other channels', async () => {
    const workspace_id = await newWorkspace(sql)
    const channels: string[] = []
    for (let i = 0; i < 3; i++) channels.push(await newChannel(sql, workspace_id, 'http://receiver.example/'))
    const [long = '', ...others] = channels
    for (const text of numbers(30)) await recordInteraction(sql, newReply(long, text))
    for (const id of others) for (const text of ['x', 'y']) await recordInteraction(sql, newReply(id, text))
    const order: string[] = []
    for (let i = 0; i < 6; i++) {
      const one = await claimOne()
      order.push(one.channel_id)
      await finishDelivery(sql, one, success)
    }
    expect(order).toEqual([...channels, ...channels])
  })

  test('deliveries that are queued while the last one is claimed are not lost', async () => {
    const channel_id = await queue('a')
    const one = await claimOne()
    await finishDelivery(sql, one, success)
    const concurrent = claim()
    await recordInteraction(sql, newReply(channel_id, 'b'))
    expect(texts([...(await concurrent), ...(await claim())])).toEqual(['b'])
  })

  test('deliveries of a claim whose response was lost are due again', async () => {
    const channel_id = await queue('a', 'b')
    const lost = randomUUID()
    await claimDeliveries(sql, lost, [channel_id], PUBLIC_URL)
    await releaseClaim(sql, lost)
    expect(await status()).toEqual(['a pending', 'b pending'])
    expect(texts(await claim())).toEqual(['a'])
    // Releasing a claim twice has no effect.
    await releaseClaim(sql, lost)
    expect((await status())[0]).toBe('a sending')
  })

  test('deliveries of an instance that died before sending are due again, and only the new claim may send them', async () => {
    await queue('a', 'b')
    const one = await claimOne()
    await endExpiredClaims(sql)
    expect(await status()).toEqual(['a sending', 'b pending'])
    await expireClaims()
    const again = await claimOne()
    expect(again).toMatchObject({ id: one.id, body: one.body })

    // The first instance was slow, not dead.
    expect(await mark(one)).toBe(false)
    await finishDelivery(sql, one, { ...success, status: 'failed', error: 'late' })
    expect((await status())[0]).toBe('a sending')
    expect(await mark(again)).toBe(true)
    await finishDelivery(sql, again, success)
    expect((await status())[0]).toBe('a success')
  })

  test('deliveries of an instance that died after sending are closed, not repeated, and the channel goes on', async () => {
    await queue('a', 'b')
    const one = await claimOne()
    expect(await mark(one)).toBe(true)
    await expireClaims()
    expect(await status()).toEqual([`a failed: ${INTERRUPTED}`, 'b pending'])
    expect(texts(await claim())).toEqual(['b'])

    // The instance was slow, not dead, and reports the true outcome.
    await finishDelivery(sql, one, success)
    expect(await status()).toEqual(['a success', 'b sending'])
    expect(await claim()).toEqual([])
  })

  test('deliveries of a test that was lost before sending are closed, since the owner no longer waits', async () => {
    const channel_id = await queue()
    await claimTest(sql, channel_id, Date.now())
    await endExpiredClaims(sql, 0)
    const [row] = await sql`select status from webhook_deliveries where channel_id = ${channel_id}`
    expect(row).toEqual({ status: 'failed' })
  })

  test('deliveries of a channel that is being deleted are skipped', async () => {
    const channel_id = await queue('a')
    await sql.begin(async tx => {
      await tx`delete from channels where id = ${channel_id}`
      expect(await claim()).toEqual([])
    })
    expect(await status()).toEqual([])
  })
})
