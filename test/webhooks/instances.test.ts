// Deliveries of a channel go out in order, one at a time, whichever instance sends them, and when instances stop.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { recordInteraction } from '../../server/model/interactions.ts'
import type { TestDatabase } from '../support/database.ts'
import { INTERRUPTED, settledLog } from '../support/deliveries.ts'
import { newChannel, newReply } from '../support/queued.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { runService } from '../support/running.ts'
import { buildScene, type Scene, sceneAt } from '../support/scene.ts'
import { startSending } from '../support/sending.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'

// Long enough for stalled deliveries to stay, even on a busy machine.
const timeout = { webhook_timeout_ms: 60_000 }
const first = await runService({}, timeout)
const second = await runService({}, { ...timeout, database: first.database })

describe('two instances', () => {
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
    return () => receiver.stop()
  })

  /** Sends replies one after another, alternating between the instances. */
  async function replyByTurns(scene: Scene, texts: string[]): Promise<void> {
    for (const [i, text] of texts.entries())
      expect((await sceneAt(i % 2 === 0 ? first : second, scene).reply(text)).status).toBe(201)
  }

  test('two instances send a channel’s next delivery after its receiver responded', async () => {
    receiver.behave((_, nth) => ({ kind: nth === 1 ? 'stall' : 'answer' }))
    const scene = await buildScene(first, { webhook_url: receiver.url })
    const other = await buildScene(first, { webhook_url: `${receiver.url}/other` })
    await replyByTurns(scene, ['a', 'b'])
    await receiver.hasReceived(1)
    await other.reply('beside')
    await settledLog(other)
    expect(receiver.texts()).toEqual(['a', 'beside'])
    receiver.letGo()
    await settledLog(scene)
    expect(receiver.texts()).toEqual(['a', 'beside', 'b'])
  })

  test('two instances send deliveries that the other instance queued and didn’t send', async () => {
    const scene = await buildScene(first, { webhook_url: receiver.url })
    // No sender is woken, so polling must find the row.
    await recordInteraction(first.sql, newReply(scene.channel_id, 'found'))
    await receiver.hasReceived(1)
    expect(receiver.texts()).toEqual(['found'])
  })

  test('two instances send to other receivers while one receiver stalls for many channels', async () => {
    receiver.behave({ kind: 'stall' })
    const { account } = await buildScene(first, { webhook_url: null })
    const stuck = await times(140, () => newChannel(first.sql, account.workspace_id, receiver.url))
    const other = await startReceiver()
    // Taking slots in two steps gives no more slots than taking them at once.
    for (const [from, to, open] of [
      [0, 100, 100],
      [100, 140, 128],
    ]) {
      for (const id of stuck.slice(from, to)) await recordInteraction(first.sql, newReply(id, 'stuck'))
      await vi.waitUntil(() => receiver.open === open, { timeout: 40_000 })
    }
    const scene = await buildScene(first, { account, webhook_url: other.url })
    await scene.reply('beside')
    await other.hasReceived(1)
    // A quarter of the slots of each instance.
    expect(receiver.most_open).toBe(128)
    receiver.recover()
    await receiver.hasReceived(140)
    await other.stop()
  })

  test('two instances end the delivery of a deleted channel without a trace', async () => {
    receiver.behave({ kind: 'stall' })
    const scene = await buildScene(first, { webhook_url: receiver.url })
    await replyByTurns(scene, ['a', 'b'])
    await receiver.hasReceived(1)
    expect((await scene.account.key('DELETE', `/channels/${scene.channel_id}`)).status).toBe(200)
    receiver.recover()
    const other = await buildScene(first, { webhook_url: receiver.url })
    await other.reply('after')
    await settledLog(other)
    expect(receiver.texts()).toEqual(['a', 'after'])
  })
})

describe('an instance that stops', () => {
  const statuses = ({ sql }: TestDatabase) =>
    sql<{ status: string; error: string | null }[]>`
      select status, error from webhook_deliveries order by place`

  test('an instance that stops waits for receivers that respond, and the next start sends pending deliveries', async () => {
    const { database, receiver, service } = await startSending('a', 'b')
    const stopping = service.stop()
    receiver.letGo()
    await stopping
    expect(await statuses(database)).toMatchObject([{ status: 'success' }, { status: 'pending' }])
    receiver.recover()
    const next = await startTestService({}, { database })
    await receiver.hasReceived(2)
    expect(receiver.texts()).toEqual(['a', 'b'])
    await next.stop()
  })

  test('an instance that stops closes deliveries without a response as interrupted', async () => {
    const { database, service } = await startSending('a', 'b')
    await service.stop()
    expect(await statuses(database)).toMatchObject([
      { status: 'failed', error: INTERRUPTED },
      { status: 'pending', error: null },
    ])
  })
})
