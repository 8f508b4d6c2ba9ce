// One owner's hanging deliveries or endless tests don't delay other owners' deliveries.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordInteraction } from '../../server/model/interactions.ts'
import { SLOTS } from '../../server/webhooks/delivery-slots.ts'
import { type Account, createAccount } from '../support/account.ts'
import { readLog, settledLog } from '../support/deliveries.ts'
import { failed, invalid } from '../support/errors.ts'
import { newChannel, newReply } from '../support/queued.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { times } from '../support/times.ts'

// Long enough for hanging deliveries to stay until the end of the test.
const service = await runService({}, { webhook_timeout_ms: 600_000 })
/** Receivers that never respond, each on a host of its own. */
let hanging: Receiver[]
let responding: Receiver
let flooder: Account

beforeEach(async () => {
  hanging = await times(6, startReceiver)
  for (const receiver of hanging) receiver.behave({ kind: 'stall' })
  responding = await startReceiver()
  flooder = await createAccount(service)
})
afterEach(async () => {
  // Pending deliveries first, so that they don't take the slots of closed receivers.
  await service.sql`delete from webhook_deliveries where status = 'pending'`
  await Promise.all([...hanging, responding].map(receiver => receiver.stop()))
  const sending = async () =>
    (await service.sql`select from webhook_deliveries where status = 'sending'`).length
  await vi.waitUntil(async () => (await sending()) === 0, WAIT)
})

const WAIT = { timeout: 50_000 }
const hangingUrls = () => hanging.map(({ url }) => url)
const open = () => hanging.reduce((sum, receiver) => sum + receiver.open, 0)

/** Records one interaction in each of `count` new channels, whose webhooks take turns with these URLs. */
async function flood(count: number, urls: string[]): Promise<string[]> {
  const channels: string[] = []
  for (let i = 0; i < count; i++) {
    const channel_id = await newChannel(service.sql, flooder.workspace_id, urls[i % urls.length] ?? '')
    await recordInteraction(service.sql, newReply(channel_id, 'flood'))
    channels.push(channel_id)
  }
  return channels
}

/** Another owner's delivery to the receiver that responds. */
async function expectDelivered(): Promise<void> {
  const scene = await buildScene(service, { webhook_url: responding.url })
  await scene.reply('beside')
  const [entry] = await settledLog(scene)
  expect(entry?.deliveries).toMatchObject([{ status: 'success' }])
}

const sendTest = (account: Account, channel_id: string) =>
  account.session('POST', `/channels/${channel_id}/webhook-test`)

const tooMany = failed(429, 'Too many tests')

describe('an owner with too many deliveries', () => {
  test('an owner with too many deliveries at many hosts delays no other owner', async () => {
    await flood(320, hangingUrls())
    await vi.waitUntil(() => open() >= SLOTS / 2, WAIT)
    await expectDelivered()
    expect(open()).toBe(SLOTS / 2)
  })

  test('an owner with too many deliveries at one host delays no other owner there', async () => {
    responding.behave(({ path }) => ({ kind: path === '/hang' ? 'stall' : 'answer' }))
    await flood(200, [`${responding.url}/hang`])
    await vi.waitUntil(() => responding.open >= SLOTS / 4, WAIT)
    await expectDelivered()
    expect(responding.open).toBe(SLOTS / 4)
  })

  test('an owner with too many deliveries gets no slot for a webhook test, and other owners do', async () => {
    const [channel_id = ''] = await flood(320, hangingUrls())
    await vi.waitUntil(() => open() >= SLOTS / 2, WAIT)
    const response = await sendTest(flooder, channel_id)
    expect(response).toMatchObject(tooMany)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    const tests = service.sql`select from interactions where channel_id = ${channel_id} and type = 'test'`
    expect(await tests).toHaveLength(0)

    const scene = await buildScene(service, { webhook_url: responding.url })
    const other = await sendTest(scene.account, scene.channel_id)
    expect(other).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(open()).toBe(SLOTS / 2)
  })
})

describe('webhook tests', () => {
  test('webhook tests are limited to two at once per owner, and take slots like any delivery', async () => {
    const urls = hangingUrls()
    const channels = await times(30, i => newChannel(service.sql, flooder.workspace_id, urls[i % 6] ?? ''))
    const responses = channels.map(channel_id => sendTest(flooder, channel_id))
    await vi.waitUntil(() => open() === 2, WAIT)
    await expectDelivered()
    expect(open()).toBe(2)
    // The first two end, so others may follow.
    for (const receiver of hanging) receiver.recover()
    const statuses = (await Promise.all(responses)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(2)
    expect(statuses.filter(status => status === 429)).toHaveLength(28)
    expect(await sendTest(flooder, channels[9] ?? '')).toMatchObject({ status: 200 })
  })

  test('webhook tests are limited to ten in a row per channel, with more as time passes', async () => {
    const scene = await buildScene(service, { webhook_url: responding.url })
    const other = await buildScene(service, { webhook_url: responding.url, account: scene.account })
    let sent = 0
    let last = await sendTest(scene.account, scene.channel_id)
    for (; last.status === 200; sent++) last = await sendTest(scene.account, scene.channel_id)
    expect(sent).toBeGreaterThanOrEqual(10)
    expect(last).toMatchObject(tooMany)
    const wait_s = Number(last.headers.get('Retry-After'))
    expect(wait_s).toBeGreaterThan(0)
    expect(wait_s).toBeLessThanOrEqual(6)
    expect(await sendTest(other.account, other.channel_id)).toMatchObject({ status: 200 })
  })

  test('webhook tests without a URL return 400 and don’t count', async () => {
    const scene = await buildScene(service)
    const noWebhook = invalid('Channel has no webhook_url')
    for (let i = 0; i < 12; i++)
      expect(await sendTest(scene.account, scene.channel_id)).toMatchObject(noWebhook)
    expect(await readLog(scene)).toEqual([])
  })
})
