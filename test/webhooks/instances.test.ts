// Deliveries of a channel go out in order, one at a time, whichever instance sends them, and when instances stop.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordInteraction } from '../../server/model/interactions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { settledLog } from '../support/deliveries.ts'
import { newChannel, newReply } from '../support/queued.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { caller, startTestService, type TestService } from '../support/service.ts'

const textOf = ({ body }: Received): string => JSON.parse(body).trigger.text
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i))

describe('two instances', () => {
  let first: TestService
  let second: TestService
  let receiver: Receiver
  beforeAll(async () => {
    // Long enough for stalled deliveries to stay, even on a busy machine.
    const timeout = { webhook_timeout_ms: 60_000 }
    first = await startTestService({}, timeout)
    second = await startTestService({}, { ...timeout, database: first.database })
  })
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.stop())
  afterAll(async () => {
    await second.stop()
    await first.stop()
  })

  const stall = () => receiver.behave(() => ({ kind: 'stall' }))
  const respond = () => receiver.behave(() => ({ kind: 'answer' }))
  const sentTexts = () => receiver.received.map(textOf)

  /** Sends replies one after another, alternating between the instances. */
  async function replyByTurns({ channel_id }: Scene, texts: string[]): Promise<void> {
    for (const [i, text] of texts.entries()) {
      const anyone = caller(`${(i % 2 === 0 ? first : second).url}/api`)
      const reply = { trigger: { type: 'reply', text } }
      expect((await anyone('POST', `/channels/${channel_id}/interactions`, reply)).status).toBe(201)
    }
  }

  test('send a channel’s interactions in order of acceptance, one at a time, each once', async () => {
    const scene = await buildScene(first, { webhook_url: receiver.url })
    await replyByTurns(scene, numbers(40))
    await settledLog(scene)
    expect(sentTexts()).toEqual(numbers(40))
    expect(receiver.most_open).toBe(1)
  })

  test('send a channel’s next delivery after its receiver responded', async () => {
    receiver.behave((_, nth) => ({ kind: nth === 1 ? 'stall' : 'answer' }))
    const scene = await buildScene(first, { webhook_url: receiver.url })
    const other = await buildScene(first, { webhook_url: `${receiver.url}/other` })
    await replyByTurns(scene, ['a', 'b'])
    await receiver.count(1)
    await other.reply('beside')
    await settledLog(other)
    expect(sentTexts()).toEqual(['a', 'beside'])
    receiver.letGo()
    await settledLog(scene)
    expect(sentTexts()).toEqual(['a', 'beside', 'b'])
  })

  test('send deliveries that the other instance queued and didn’t send', async () => {
    const scene = await buildScene(first, { webhook_url: receiver.url })
    // No sender is woken, so polling must find the row.
    await recordInteraction(first.sql, newReply(scene.channel_id, 'found'))
    expect((await receiver.count(1)).map(textOf)).toEqual(['found'])
  })

  test('send to other receivers while one receiver stalls for many channels', async () => {
    stall()
    const { account } = await buildScene(first, { webhook_url: null })
    const stuck = await Promise.all(
      numbers(140).map(() => newChannel(first.sql, account.workspace_id, receiver.url)),
    )
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
    await other.count(1)
    // A quarter of the slots of each instance.
    expect(receiver.most_open).toBe(128)
    respond()
    receiver.letGo()
    await receiver.count(140)
    await other.stop()
  })

  test('end the delivery of a deleted channel without a trace', async () => {
    stall()
    const scene = await buildScene(first, { webhook_url: receiver.url })
    await replyByTurns(scene, ['a', 'b'])
    await receiver.count(1)
    expect((await scene.account.key('DELETE', `/channels/${scene.channel_id}`)).status).toBe(200)
    receiver.letGo()
    const other = await buildScene(first, { webhook_url: receiver.url })
    respond()
    await other.reply('after')
    await settledLog(other)
    expect(sentTexts()).toEqual(['a', 'after'])
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

  test('waits for receivers that respond, and the next start sends pending deliveries', async () => {
    const stopping = leaving.stop()
    receiver.letGo()
    await stopping
    expect(await statuses()).toMatchObject([{ status: 'success' }, { status: 'pending' }])
    receiver.behave(() => ({ kind: 'answer' }))
    const next = await startTestService({}, { database })
    expect((await receiver.count(2)).map(textOf)).toEqual(['a', 'b'])
    await next.stop()
  })

  test('closes deliveries without a response as interrupted', async () => {
    await leaving.stop()
    expect(await statuses()).toMatchObject([
      { status: 'failed', error: 'interrupted: the service stopped while it was sent' },
      { status: 'pending', error: null },
    ])
  })
})
