// Redeliveries, webhook tests, and the delivery status for viewers.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { ISO } from '../support/cards.ts'
import {
  type DeliveryDetails,
  type LoggedDelivery,
  lastDelivery,
  readLog,
  settledLog,
} from '../support/deliveries.ts'
import { invalid, notFound } from '../support/errors.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { runService } from '../support/running.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'

const service = await runService()
/** Only for receivers that stall: on a busy machine, others may take longer too. */
const hasty = await runService({}, { webhook_timeout_ms: 300 })
let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
  return () => receiver.stop()
})

describe('a redelivery', () => {
  const redeliver = ({ account, channel_id }: Scene, interaction_id: string) => {
    const path = `/channels/${channel_id}/interactions/${interaction_id}/redeliver`
    return account.session<LoggedDelivery>('POST', path)
  }

  test('a redelivery sends the same bytes under the same id to the current URL, even if the card was deleted', async () => {
    receiver.behave({ kind: 'answer', status: 503 })
    const scene = await buildScene(service, { webhook_url: `${receiver.url}/old` })
    const { body: logged } = await scene.click({ values: { note: 'ü' } })
    await settledLog(scene)
    await scene.account.key('DELETE', `/channels/${scene.channel_id}/cards/${scene.card_id}`)
    await scene.account.key('PATCH', `/channels/${scene.channel_id}`, { webhook_url: `${receiver.url}/new` })
    receiver.recover()

    const redelivery = await redeliver(scene, logged.interaction_id)
    const pending = { status: 'pending', attempts: 2, response_code: null }
    expect(redelivery).toMatchObject({ status: 202, body: pending })
    const [entry] = await settledLog(scene)
    const [first, second] = receiver.received
    expect([first?.path, second?.path]).toEqual(['/old', '/new'])
    expect(second?.body).toBe(first?.body)
    expect(second?.body).toContain(scene.card_id)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(entry?.card_id).toBeNull()
    expect(entry?.deliveries).toMatchObject([
      { id: redelivery.body.id, status: 'success', attempts: 2 },
      { status: 'failed', attempts: 1, response_code: 503 },
    ])
    expect(await lastDelivery(scene)).toMatchObject({ url: `${receiver.url}/new`, request_body: first?.body })
    expect(await readLog(scene, 'status=failed')).toEqual([])
  })

  test('a redelivery of an interaction without a delivery is its first', async () => {
    const scene = await buildScene(service)
    const { body } = await scene.reply('hello')
    expect(await redeliver(scene, body.interaction_id)).toMatchObject(invalid('Channel has no webhook_url'))
    await scene.account.key('PATCH', `/channels/${scene.channel_id}`, { webhook_url: receiver.url })
    expect(await redeliver(scene, body.interaction_id)).toMatchObject({ status: 202, body: { attempts: 1 } })
    const [request] = await receiver.hasReceived(1)
    expect(request?.body).toBe(JSON.stringify(body))
  })

  test('a redelivery increases the number, even if many are requested at once, and they go out in turn', async () => {
    const scene = await buildScene(service, { webhook_url: receiver.url })
    const { body } = await scene.reply('hello')
    await settledLog(scene)
    const responses = await times(5, () => redeliver(scene, body.interaction_id))
    expect(responses.map(({ body }) => body.attempts).sort()).toEqual([2, 3, 4, 5, 6])
    const [entry] = await settledLog(scene)
    expect(entry?.deliveries.map(({ attempts }) => attempts)).toEqual([6, 5, 4, 3, 2, 1])
    expect(receiver.received).toHaveLength(6)
    expect(receiver.most_open).toBe(1)
  })

  test('a redelivery returns 429 while ten deliveries of the interaction are pending', async () => {
    const long = await startTestService({}, { webhook_timeout_ms: 60_000 })
    receiver.behave({ kind: 'stall' })
    const scene = await buildScene(long, { webhook_url: receiver.url })
    const { interaction_id } = (await scene.reply('hello')).body
    await receiver.hasReceived(1)
    const responses = await times(14, () => redeliver(scene, interaction_id))
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(10)
    const errors = responses.filter(({ status }) => status === 429)
    expect(errors.map(({ body }) => body)).toEqual(Array(4).fill({ error: 'Too many redeliveries' }))
    expect(Number(errors[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
    receiver.recover()
    await settledLog(scene)
    expect(await redeliver(scene, interaction_id)).toMatchObject({ status: 202, body: { attempts: 12 } })
    await settledLog(scene)
    await long.stop()
  })

  test('a redelivery of an unknown interaction, or another channel’s, returns 404', async () => {
    const scene = await buildScene(service, { webhook_url: receiver.url })
    const other = await buildScene(service, { account: scene.account })
    const { body } = await other.reply('hello')
    for (const id of [randomUUID(), 'x', body.interaction_id])
      expect(await redeliver(scene, id)).toMatchObject(notFound('Interaction'))
  })
})

describe('a webhook test', () => {
  const sendTest = (scene: Scene) =>
    scene.account.session<DeliveryDetails>('POST', `/channels/${scene.channel_id}/webhook-test`)

  test('a webhook test returns its outcome, and appears in the owner’s log only', async () => {
    const scene = await buildScene(service, { webhook_url: receiver.url })
    receiver.behave({ kind: 'answer', status: 200, body: 'thanks' })
    const { status, body } = await sendTest(scene)
    expect(status).toBe(200)
    const success = { status: 'success', response_code: 200, attempts: 1 }
    expect(body).toMatchObject({ ...success, response_body: 'thanks' })
    const [request] = receiver.received
    expect(JSON.parse(request?.body ?? '')).toStrictEqual({
      interaction_id: request?.headers['webhook-id'],
      channel_id: scene.channel_id,
      card_id: null,
      timestamp: expect.stringMatching(ISO),
      trigger: { type: 'test' },
      card_state: null,
    })
    expect(await readLog(scene, 'type=test')).toMatchObject([{ trigger: { type: 'test' } }])
    const { body: list } = await scene.account.key('GET', `/channels/${scene.channel_id}/interactions`)
    expect(list).toEqual({ interactions: [], next_cursor: null })
  })

  test('a webhook test of a stalled receiver returns a timeout', async () => {
    receiver.behave({ kind: 'stall' })
    const scene = await buildScene(hasty, { webhook_url: receiver.url })
    const timeout = { status: 'failed', response_code: null, error: 'timeout' }
    expect((await sendTest(scene)).body).toMatchObject(timeout)
  })

  test('a webhook test goes past pending deliveries, and doesn’t replace any', async () => {
    receiver.behave(({ body }) => ({ kind: body.includes('reply') ? 'stall' : 'answer' }))
    const scene = await buildScene(service, { webhook_url: receiver.url })
    for (const text of ['a', 'b']) await scene.reply(text)
    expect((await sendTest(scene)).body).toMatchObject({ status: 'success' })
    receiver.recover()
    await settledLog(scene)
    expect(receiver.received.filter(({ body }) => body.includes('reply'))).toHaveLength(2)
  })
})

test('viewers get the delivery status by the interaction’s id', async () => {
  const scene = await buildScene(service, { webhook_url: receiver.url })
  const statusOf = ({ account, channel_id }: Scene, id: string) =>
    account.session('GET', `/channels/${channel_id}/interactions/${id}/delivery`)
  receiver.behave({ kind: 'stall' })
  const { interaction_id } = (await scene.reply('hello')).body
  const pending = { status: 'pending', error: null }
  expect(await statusOf(scene, interaction_id)).toMatchObject({ status: 200, body: pending })
  receiver.recover()
  await settledLog(scene)
  expect((await statusOf(scene, interaction_id)).body).toEqual({ status: 'success', error: null })
  receiver.behave({ kind: 'stall' })
  const stalled = await buildScene(hasty, { webhook_url: receiver.url })
  const failed = (await stalled.reply('hello')).body.interaction_id
  await settledLog(stalled)
  expect((await statusOf(stalled, failed)).body).toEqual({ status: 'failed', error: 'timeout' })
  const quiet = await buildScene(service, { account: scene.account })
  const unsent = (await quiet.reply('hello')).body.interaction_id
  expect((await statusOf(quiet, unsent)).body).toEqual({ status: 'none', error: null })
  for (const id of [unsent, randomUUID(), 'x']) expect((await statusOf(scene, id)).status).toBe(404)
})
