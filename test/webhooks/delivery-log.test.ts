// The owner's log: interactions with their deliveries, redeliveries, and webhook tests.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { ISO } from '../support/cards.ts'
import {
  type DeliveryDetails,
  type LogEntry,
  type LoggedDelivery,
  type LogPage,
  lastDelivery,
  readLog,
  settledLog,
} from '../support/deliveries.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { buildScene, type Refusal, type Scene } from '../support/scene.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await startTestService({}, { webhook_timeout_ms: 300 })
})
beforeEach(async () => {
  receiver = await startReceiver()
  return () => receiver.stop()
})
afterAll(() => service.stop())

const error = (status: number, message: string) => ({ status, body: { error: message } })
const textsOf = (entries: LogEntry[]) => entries.map(({ trigger }) => trigger.text ?? trigger.type)

describe('the log', () => {
  let scene: Scene
  beforeAll(async () => {
    const answering = await startReceiver()
    answering.behave(({ body }) => ({ kind: 'answer', status: body.includes('"bad"') ? 500 : 200 }))
    scene = await buildScene(service, { webhook_url: answering.url })
    await scene.reply('good')
    await scene.reply('bad')
    await scene.click()
    await scene.act({
      card_id: scene.card_id,
      trigger: { type: 'input_change', block_id: 'note', value: 'x' },
    })
    await scene.act({ trigger: { type: 'header_action', action_id: scene.action_id } })
    await settledLog(scene)
    await scene.account.key('PATCH', `/channels/${scene.channel_id}`, { webhook_url: null })
    await scene.reply('nowhere to go')
    await answering.stop()
  })

  test('shows the newest interaction first, each with its deliveries', async () => {
    const entries = await readLog(scene)
    expect(textsOf(entries)).toEqual([
      'nowhere to go',
      'header_action',
      'input_change',
      'button_click',
      'bad',
      'good',
    ])
    expect(entries[0]?.deliveries).toEqual([])
    const bad = entries[4]
    expect(Object.keys(bad ?? {})).toEqual([
      'interaction_id',
      'channel_id',
      'card_id',
      'timestamp',
      'trigger',
      'card_state',
      'user',
      'by',
      'deliveries',
    ])
    expect(bad).toHaveProperty('user', null)
    expect(bad?.deliveries).toStrictEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: 'failed',
        response_code: 500,
        attempts: 1,
        error: 'status 500',
        duration_ms: expect.any(Number),
        created_at: expect.stringMatching(ISO),
      },
    ])
    expect(entries[5]?.deliveries).toMatchObject([{ status: 'success', response_code: 200, error: null }])
  })

  test('is filtered by type and by the status of the latest delivery', async () => {
    expect(textsOf(await readLog(scene, 'type=reply'))).toEqual(['nowhere to go', 'bad', 'good'])
    expect(textsOf(await readLog(scene, 'type=button_click'))).toEqual(['button_click'])
    expect(textsOf(await readLog(scene, 'status=failed'))).toEqual(['bad'])
    expect(textsOf(await readLog(scene, 'status=success&type=reply'))).toEqual(['good'])
    expect(await readLog(scene, 'status=pending')).toEqual([])
    expect(await readLog(scene, 'type=test')).toEqual([])
  })

  test.each([
    ['type=click', 'type must be one of button_click, header_action, input_change, reply, test'],
    ['status=ok', 'status must be one of success, failed, pending, held'],
    ['limit=0', 'limit must be a whole number from 1 to 200'],
    ['limit=201', 'limit must be a whole number from 1 to 200'],
    ['cursor=x', 'cursor is unknown'],
  ])('?%s returns 400', async (query, message) => {
    const answer = await scene.account.session('GET', `/channels/${scene.channel_id}/interactions?${query}`)
    expect(answer).toMatchObject(error(400, message))
  })

  test.each([
    ['', 2],
    ['&type=reply', 1],
    ['&status=success', 1],
  ])('can be read in parts without gaps or repetitions (%s)', async (filter, limit) => {
    const whole = await readLog(scene, `limit=200${filter}`)
    const pages: LogEntry[] = []
    for (let cursor = ''; ; ) {
      const path = `/channels/${scene.channel_id}/interactions?limit=${limit}${filter}${cursor}`
      const { body } = await scene.account.session<LogPage>('GET', path)
      expect(body.interactions.length).toBeLessThanOrEqual(limit)
      pages.push(...body.interactions)
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(pages).toStrictEqual(whole)
  })

  test('is visible to its owner only', async () => {
    const stranger = await createAccount(service)
    const { session } = stranger
    const base = `/channels/${scene.channel_id}`
    const [entry] = await readLog(scene, 'status=failed')
    for (const [method, path] of [
      ['GET', '/interactions'],
      ['GET', `/deliveries/${entry?.deliveries[0]?.id}`],
      ['POST', `/interactions/${entry?.interaction_id}/redeliver`],
      ['POST', '/webhook-test'],
    ] as const) {
      expect(await session(method, base + path)).toMatchObject(error(403, 'Access denied'))
      expect((await scene.account.session(method, `/channels/${randomUUID()}${path}`)).status).toBe(404)
    }
  })

  test('unknown delivery, or another channel’s, returns 404', async () => {
    const other = await buildScene(service, { account: scene.account })
    const [entry] = await readLog(scene, 'status=failed')
    for (const id of [randomUUID(), 'x', entry?.deliveries[0]?.id]) {
      const answer = await other.account.session('GET', `/channels/${other.channel_id}/deliveries/${id}`)
      expect(answer).toMatchObject(error(404, 'Delivery not found'))
    }
  })
})

describe('a redelivery', () => {
  const redeliver = (scene: Scene, interaction_id: string | undefined) =>
    scene.account.session<LoggedDelivery & Refusal>(
      'POST',
      `/channels/${scene.channel_id}/interactions/${interaction_id}/redeliver`,
    )

  test('sends the same bytes under the same id to the current URL, even if the card was deleted', async () => {
    receiver.behave(() => ({ kind: 'answer', status: 503 }))
    const scene = await buildScene(service, { webhook_url: `${receiver.url}/old` })
    const { body: logged } = await scene.click({ values: { note: 'ü' } })
    await settledLog(scene)
    await scene.account.key('DELETE', `/channels/${scene.channel_id}/cards/${scene.card_id}`)
    await scene.account.key('PATCH', `/channels/${scene.channel_id}`, { webhook_url: `${receiver.url}/new` })
    receiver.behave(() => ({ kind: 'answer' }))

    const answer = await redeliver(scene, logged.interaction_id)
    expect(answer).toMatchObject({
      status: 202,
      body: { status: 'pending', attempts: 2, response_code: null },
    })
    const [entry] = await settledLog(scene)
    const [first, second] = receiver.received
    expect([first?.path, second?.path]).toEqual(['/old', '/new'])
    expect(second?.body).toBe(first?.body)
    expect(second?.body).toContain(scene.card_id)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(entry?.card_id).toBeNull()
    expect(entry?.deliveries).toMatchObject([
      { id: answer.body.id, status: 'success', attempts: 2 },
      { status: 'failed', attempts: 1, response_code: 503 },
    ])
    expect(await lastDelivery(scene)).toMatchObject({ url: `${receiver.url}/new`, request_body: first?.body })
    expect(await readLog(scene, 'status=failed')).toEqual([])
  })

  test('of an interaction without a delivery is its first', async () => {
    const scene = await buildScene(service)
    const { body } = await scene.reply('hello')
    expect(await redeliver(scene, body.interaction_id)).toMatchObject(
      error(400, 'Channel has no webhook_url'),
    )
    await scene.account.key('PATCH', `/channels/${scene.channel_id}`, { webhook_url: receiver.url })
    expect(await redeliver(scene, body.interaction_id)).toMatchObject({ status: 202, body: { attempts: 1 } })
    const [request] = await receiver.count(1)
    expect(request?.body).toBe(JSON.stringify(body))
  })

  test('increases the number, even if many are requested at once; they go out in turn', async () => {
    const scene = await buildScene(service, { webhook_url: receiver.url })
    const { body } = await scene.reply('hello')
    await settledLog(scene)
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => redeliver(scene, body.interaction_id)))
    expect(answers.map(({ body }) => body.attempts).sort()).toEqual([2, 3, 4, 5, 6])
    const [entry] = await settledLog(scene)
    expect(entry?.deliveries.map(({ attempts }) => attempts)).toEqual([6, 5, 4, 3, 2, 1])
    expect(receiver.received).toHaveLength(6)
    expect(receiver.most_open).toBe(1)
  })

  test('returns 429 while ten deliveries of the interaction are pending', async () => {
    const long = await startTestService({}, { webhook_timeout_ms: 60_000 })
    receiver.behave(() => ({ kind: 'stall' }))
    const scene = await buildScene(long, { webhook_url: receiver.url })
    const { body } = await scene.reply('hello')
    await receiver.count(1)
    const answers = await Promise.all(Array.from({ length: 14 }, () => redeliver(scene, body.interaction_id)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.map(({ body }) => body)).toEqual(Array(4).fill({ error: 'Too many redeliveries' }))
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
    receiver.behave(() => ({ kind: 'answer' }))
    receiver.letGo()
    await settledLog(scene)
    expect(await redeliver(scene, body.interaction_id)).toMatchObject({ status: 202, body: { attempts: 12 } })
    await settledLog(scene)
    await long.stop()
  })

  test('of an unknown interaction, or another channel’s, returns 404', async () => {
    const scene = await buildScene(service, { webhook_url: receiver.url })
    const other = await buildScene(service, { account: scene.account })
    const { body } = await other.reply('hello')
    for (const id of [randomUUID(), 'x', body.interaction_id])
      expect(await redeliver(scene, id)).toMatchObject(error(404, 'Interaction not found'))
  })
})

describe('a webhook test', () => {
  const sendTest = (scene: Scene) =>
    scene.account.session<DeliveryDetails & Refusal>('POST', `/channels/${scene.channel_id}/webhook-test`)

  test('returns its outcome, and appears in the owner’s log only', async () => {
    const scene = await buildScene(service, { webhook_url: receiver.url })
    receiver.behave(() => ({ kind: 'answer', status: 200, body: 'thanks' }))
    const { status, body } = await sendTest(scene)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'success',
      response_code: 200,
      attempts: 1,
      response_body: 'thanks',
    })
    const [request] = receiver.received
    const sent = JSON.parse(request?.body ?? '')
    expect(sent).toStrictEqual({
      interaction_id: request?.headers['webhook-id'],
      channel_id: scene.channel_id,
      card_id: null,
      timestamp: expect.stringMatching(ISO),
      trigger: { type: 'test' },
      card_state: null,
    })
    expect(textsOf(await readLog(scene, 'type=test'))).toEqual(['test'])
    const { body: list } = await scene.account.key('GET', `/channels/${scene.channel_id}/interactions`)
    expect(list).toEqual({ interactions: [], next_cursor: null })
  })

  test('of a stalled receiver returns a timeout', async () => {
    receiver.behave(() => ({ kind: 'stall' }))
    const scene = await buildScene(service, { webhook_url: receiver.url })
    expect((await sendTest(scene)).body).toMatchObject({
      status: 'failed',
      response_code: null,
      error: 'timeout',
    })
  })

  test('goes past pending deliveries, and doesn’t replace any', async () => {
    receiver.behave(({ body }) => ({ kind: body.includes('reply') ? 'stall' : 'answer' }))
    const scene = await buildScene(service, { webhook_url: receiver.url })
    for (const text of ['a', 'b']) await scene.reply(text)
    expect((await sendTest(scene)).body).toMatchObject({ status: 'success' })
    receiver.behave(() => ({ kind: 'answer' }))
    receiver.letGo()
    await settledLog(scene)
    expect(receiver.received.filter(({ body }) => body.includes('reply'))).toHaveLength(2)
  })

  test('without a URL returns 400', async () => {
    const scene = await buildScene(service)
    expect(await sendTest(scene)).toMatchObject(error(400, 'Channel has no webhook_url'))
    expect(await readLog(scene)).toEqual([])
  })
})

describe('the delivery status for viewers', () => {
  const statusOf = (scene: Scene, id: string) =>
    scene.account.session('GET', `/channels/${scene.channel_id}/interactions/${id}/delivery`)

  test('is found by the interaction’s id', async () => {
    const scene = await buildScene(service, { webhook_url: receiver.url })
    receiver.behave(() => ({ kind: 'stall' }))
    const { body } = await scene.reply('hello')
    expect(await statusOf(scene, body.interaction_id)).toMatchObject({
      status: 200,
      body: { status: 'pending', error: null },
    })
    await settledLog(scene)
    expect((await statusOf(scene, body.interaction_id)).body).toEqual({ status: 'failed', error: 'timeout' })
    const quiet = await buildScene(service, { account: scene.account })
    const unsent = (await quiet.reply('hello')).body.interaction_id
    expect((await statusOf(quiet, unsent)).body).toEqual({ status: 'none', error: null })
    for (const id of [unsent, randomUUID(), 'x']) expect((await statusOf(scene, id)).status).toBe(404)
  })
})
