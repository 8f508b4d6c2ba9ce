// After a restore or a failover with lost history, pending deliveries may have been sent, so their owner decides.
import { describe, expect, test } from 'vitest'
import { claimTest } from '../../server/model/deliveries.ts'
import { finishDelivery } from '../../server/model/delivery-queue.ts'
import { holdDeliveries } from '../../server/model/delivery-recovery.ts'
import { deleteOldInteractions, recordInteraction } from '../../server/model/interactions.ts'
import { expectActivityMatchesRows } from '../support/activity.ts'
import { afterTest } from '../support/after-test.ts'
import { INTERRUPTED, type LoggedDelivery, readLog, settledLog } from '../support/deliveries.ts'
import { newReply, onlyOne, runQueue, success } from '../support/queued.ts'
import { textOf } from '../support/receiver.ts'
import { sceneAt } from '../support/scene.ts'
import { startSending } from '../support/sending.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'

const lost = 'the database was restored or lost history while this waited'

test('a service on another database holds pending deliveries, and sends later ones and those that the owner asks for', async () => {
  const { database, receiver, service: before, scene: earlier } = await startSending('sent', 'waits')
  await before.stop()
  await database.sql`update database_generation set system_identifier = 'that of another cluster'`
  receiver.recover()
  const service = await startTestService({}, { database })
  afterTest(() => service.stop())
  const scene = sceneAt(service, earlier)
  const statuses = async (query?: string) =>
    (await readLog(scene, query)).map(({ trigger, deliveries }) => [
      trigger.text,
      deliveries.map(({ status, error }) => (error ? `${status}: ${error}` : status)),
    ])

  await scene.reply('later')
  await receiver.hasReceived(2)
  await settledLog(scene)
  expect(await statuses()).toEqual([
    ['later', ['success']],
    ['waits', [`held: ${lost}`]],
    ['sent', [`failed: ${INTERRUPTED}`]],
  ])
  expect(receiver.texts()).toEqual(['sent', 'later'])
  await expectActivityMatchesRows(database.sql)

  const [held] = await readLog(scene, 'status=held')
  const path = `/channels/${scene.channel_id}/interactions/${held?.interaction_id}`
  const delivery = await scene.account.session<LoggedDelivery>('GET', `${path}/delivery`)
  expect(delivery.body).toEqual({ status: 'held', error: lost })
  const sent = await scene.account.session<LoggedDelivery>('POST', `${path}/redeliver`)
  expect(sent).toMatchObject({ status: 202, body: { status: 'pending', attempts: 2 } })
  await settledLog(scene)
  expect((await statuses())[1]).toEqual(['waits', ['success', `held: ${lost}`]])
  expect(receiver.texts()).toEqual(['sent', 'later', 'waits'])
  expect(await statuses('status=held')).toEqual([])
})

const { sql, queue, claimIn, mark } = await runQueue()

describe('holding deliveries', () => {
  const claim = (...channel_ids: string[]) => claimIn(channel_ids)
  const claimOne = async (channel_id: string) => onlyOne(await claim(channel_id))
  const statuses = async () => {
    const rows = await sql<{ status: string }[]>`select status from webhook_deliveries order by place`
    return rows.map(({ status }) => status)
  }

  test('holding deliveries ends the claims of unsent deliveries, which can’t be marked or finished any more', async () => {
    const one = await claimOne(await queue('a', 'b'))
    await holdDeliveries(sql)
    expect(await mark(one)).toBe(false)
    await finishDelivery(sql, one, { ...success, status: 'failed', error: 'refused' })
    expect(await statuses()).toEqual(['held', 'held'])
  })

  test('holding deliveries closes sent deliveries as interrupted, and their true outcome may still follow', async () => {
    const one = await claimOne(await queue('a', 'b'))
    expect(await mark(one)).toBe(true)
    await holdDeliveries(sql)
    expect(await statuses()).toEqual(['failed', 'held'])
    await finishDelivery(sql, one, success)
    expect(await statuses()).toEqual(['success', 'held'])
  })

  test('blocks no channel: deliveries that are queued later are claimed', async () => {
    const [unsent, sent, waiting] = [await queue('a', 'b'), await queue('a', 'b'), await queue('a')]
    await claimOne(unsent)
    await mark(await claimOne(sent))
    await holdDeliveries(sql)
    const channels = [unsent, sent, waiting]
    expect(await claim(...channels)).toEqual([])
    for (const channel_id of channels) await recordInteraction(sql, newReply(channel_id, 'later'))
    expect((await claim(...channels)).map(textOf)).toEqual(['later', 'later', 'later'])
  })

  test('holding deliveries prevents claims until it is committed, and then later deliveries go out', async () => {
    const channel_id = await queue('a')
    await sql.begin(async tx => {
      await holdDeliveries(tx)
      expect(await claim(channel_id)).toEqual([])
    })
    await recordInteraction(sql, newReply(channel_id, 'later'))
    expect((await claim(channel_id)).map(textOf)).toEqual(['later'])
  })

  test('holding deliveries has no effect if its transaction is rolled back', async () => {
    const channel_id = await queue('a')
    const rolledBack = sql.begin(async tx => {
      await holdDeliveries(tx)
      throw new Error('no new generation')
    })
    await rolledBack.catch(() => {})
    expect((await claim(channel_id)).map(textOf)).toEqual(['a'])
  })

  test('holding deliveries never holds a delivery that may be sent, however it races with claims and marks', async () => {
    for (let round = 0; round < 10; round++) {
      await sql`delete from users`
      const channels = await times(12, () => queue('a', 'b'))
      const claimAndMark = async (channel_id: string) => {
        const claimed = await claim(channel_id)
        return Promise.all(claimed.map(async one => ({ id: one.id, marked: await mark(one) })))
      }
      const early = channels.slice(0, round).map(claimAndMark)
      const holding = sql.begin(holdDeliveries)
      const late = channels.slice(round).map(claimAndMark)
      const claimed = (await Promise.all([...early, ...late])).flat()
      await holding
      for (const { id, marked } of claimed) {
        const [row] = await sql<{ status: string }[]>`select status from webhook_deliveries where id = ${id}`
        if (marked) expect(['failed', 'sending']).toContain(row?.status)
        else expect(row?.status).toBe('held')
      }
      const stuck = await sql`
        select from webhook_queues q join webhook_deliveries d on d.channel_id = q.channel_id and d.id = q.sending
        where d.status <> 'sending'`
      expect(stuck).toHaveLength(0)
    }
  })

  test('holding deliveries holds an unsent test, and retention deletes held deliveries', async () => {
    const channel_id = await queue('a')
    await claimTest(sql, channel_id, Date.now())
    await holdDeliveries(sql)
    expect(await statuses()).toEqual(['held', 'held'])
    await sql`delete from daily_activity`
    await sql`update interactions set created_at = now() - interval '8 days'`
    await deleteOldInteractions(sql, 7)
    expect(await statuses()).toEqual([])
  })
})
