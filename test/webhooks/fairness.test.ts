// One owner's deliveries hang at every receiver, or test without end: another owner's still go out.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordInteraction } from '../../server/model/interactions.ts'
import { SLOTS } from '../../server/webhooks/delivery-slots.ts'
import { type Account, createAccount } from '../support/account.ts'
import { type DeliveryDetails, settledLog } from '../support/deliveries.ts'
import { newChannel, newReply } from '../support/queued.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { buildScene, type Refusal } from '../support/scene.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
/** Receivers that never answer, each on a host of its own. */
let hanging: Receiver[]
let well: Receiver
let flooder: Account

beforeAll(async () => {
  // So long that what hangs still does at the end of the test.
  service = await startTestService({}, { webhook_timeout_ms: 600_000 })
})
beforeEach(async () => {
  hanging = await Promise.all(Array.from({ length: 6 }, () => startReceiver()))
  for (const receiver of hanging) receiver.behave(() => ({ kind: 'stall' }))
  well = await startReceiver()
  flooder = await createAccount(service)
})
afterEach(async () => {
  // What waits goes first, so that closed receivers don't make room for it.
  await service.sql`delete from webhook_deliveries where status = 'pending'`
  await Promise.all([...hanging, well].map(receiver => receiver.stop()))
  await vi.waitUntil(async () => {
    const left = await service.sql`select from webhook_deliveries where status = 'sending'`
    return left.length === 0
  }, PATIENCE)
})
afterAll(() => service.stop())

const PATIENCE = { timeout: 50_000 }
const open = () => hanging.reduce((sum, receiver) => sum + receiver.open, 0)

/** One interaction in each of so many channels, by turns to these URLs. */
async function flood(count: number, urls: string[]): Promise<string[]> {
  const channels: string[] = []
  for (let i = 0; i < count; i++) {
    const channel_id = await newChannel(service.sql, flooder.workspace_id, urls[i % urls.length] ?? '')
    await recordInteraction(service.sql, newReply(channel_id, 'flood'))
    channels.push(channel_id)
  }
  return channels
}

const sendTest = (account: Account, channel_id: string) =>
  account.session<DeliveryDetails & Refusal>('POST', `/channels/${channel_id}/webhook-test`)

const tooMany = { status: 429, body: { error: 'Too many tests' } }

describe('an owner who floods', () => {
  test('many hosts holds up no other owner: theirs is delivered while all of the flood hangs', async () => {
    await flood(
      320,
      hanging.map(({ url }) => url),
    )
    const scene = await buildScene(service, { webhook_url: well.url })
    await vi.waitUntil(() => open() >= SLOTS / 2, PATIENCE)
    await scene.reply('beside')
    const [entry] = await settledLog(scene)
    expect(entry?.deliveries).toMatchObject([{ status: 'success' }])
    expect(open()).toBe(SLOTS / 2)
  })

  test('one host holds up no other owner there', async () => {
    well.behave(({ path }) => ({ kind: path === '/hang' ? 'stall' : 'answer' }))
    await flood(200, [`${well.url}/hang`])
    const scene = await buildScene(service, { webhook_url: well.url })
    await vi.waitUntil(() => well.open >= SLOTS / 4, PATIENCE)
    await scene.reply('beside')
    const [entry] = await settledLog(scene)
    expect(entry?.deliveries).toMatchObject([{ status: 'success' }])
    expect(well.open).toBe(SLOTS / 4)
  })

  test('has no place for a test of its own, and other owners have', async () => {
    const [channel_id = ''] = await flood(
      320,
      hanging.map(({ url }) => url),
    )
    await vi.waitUntil(() => open() >= SLOTS / 2, PATIENCE)
    const answer = await sendTest(flooder, channel_id)
    expect(answer).toMatchObject(tooMany)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    const tests =
      await service.sql`select from interactions where channel_id = ${channel_id} and type = 'test'`
    expect(tests).toHaveLength(0)

    const scene = await buildScene(service, { webhook_url: well.url })
    expect(await sendTest(scene.account, scene.channel_id)).toMatchObject({
      status: 200,
      body: { status: 'success' },
    })
    expect(open()).toBe(SLOTS / 2)
  })
})

describe('tests', () => {
  test('are two at once for an owner, over all channels, and take places like any other', async () => {
    const urls = hanging.map(({ url }) => url)
    const channels = await Promise.all(
      Array.from({ length: 30 }, (_, i) => newChannel(service.sql, flooder.workspace_id, urls[i % 6] ?? '')),
    )
    const answers = channels.map(channel_id => sendTest(flooder, channel_id))
    await vi.waitUntil(() => open() === 2, PATIENCE)
    const scene = await buildScene(service, { webhook_url: well.url })
    await scene.reply('beside')
    await settledLog(scene)
    expect(open()).toBe(2)
    for (const receiver of hanging) receiver.letGo()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(2)
    expect(statuses.filter(status => status === 429)).toHaveLength(28)
    // The two have made room for others.
    for (const receiver of hanging) receiver.behave(() => ({ kind: 'answer' }))
    expect(await sendTest(flooder, channels[9] ?? '')).toMatchObject({ status: 200 })
  })

  test('in a row are ten, and more as time goes by; another channel has its own ten', async () => {
    const scene = await buildScene(service, { webhook_url: well.url })
    const other = await buildScene(service, { webhook_url: well.url, account: scene.account })
    const statuses: number[] = []
    let last = await sendTest(scene.account, scene.channel_id)
    for (; last.status === 200; last = await sendTest(scene.account, scene.channel_id))
      statuses.push(last.status)
    expect(statuses.length).toBeGreaterThanOrEqual(10)
    expect(last).toMatchObject(tooMany)
    expect(Number(last.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(Number(last.headers.get('Retry-After'))).toBeLessThanOrEqual(6)
    expect(await sendTest(other.account, other.channel_id)).toMatchObject({ status: 200 })
  })

  test('without a URL are refused for that reason, and count as none', async () => {
    const scene = await buildScene(service)
    for (let i = 0; i < 12; i++)
      expect(await sendTest(scene.account, scene.channel_id)).toMatchObject({
        status: 400,
        body: { error: 'Channel has no webhook_url' },
      })
  })
})
