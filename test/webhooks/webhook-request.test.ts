// The request that a receiver gets: the body of the specification, signed according to Standard Webhooks.
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { lastDelivery, readLog } from '../support/deliveries.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene, type Scene, stateWith } from '../support/scene.ts'
import { startTestService } from '../support/service.ts'

const service = await runService()
const receiver = await runReceiver()
const scene = await buildScene(service, { webhook_url: `${receiver.url}/hook?team=a` })
beforeEach(() => {
  receiver.received.length = 0
})

async function sentBy(response: Promise<{ body: unknown }>) {
  const { body } = await response
  const [request] = await receiver.hasReceived(1)
  if (!request) throw new Error('nothing was received')
  return { request, recorded: body }
}

const secretOf = async ({ account, channel_id }: Scene) =>
  (await account.session<{ secret: string }>('GET', `/channels/${channel_id}/webhook-secret`)).body.secret

describe('the order of fields', () => {
  async function expectBody(sending: Promise<{ body: unknown }>, fields: Record<string, unknown>) {
    const { request, recorded } = await sentBy(sending)
    const { interaction_id, timestamp } = JSON.parse(request.body)
    const { card_id = null, trigger, card_state = null } = fields
    const { account, channel_id } = scene
    const path = `/channels/${channel_id}/interactions?limit=1`
    const list = await account.key<{ interactions: unknown[] }>('GET', path)
    const expected = { interaction_id, channel_id, card_id, timestamp, trigger, card_state }
    expect(request.body).toBe(JSON.stringify(expected))
    for (const same of [recorded, list.body.interactions[0]]) expect(JSON.stringify(same)).toBe(request.body)
    return request
  }

  test('request, response and list have their fields in order for a click', async () => {
    const values = { note: 'ü', region: 'eu' }
    const trigger = { type: 'button_click', button_id: 'go', label: 'Deploy' }
    const fields = { card_id: scene.card_id, trigger, card_state: stateWith(values) }
    const request = await expectBody(scene.click({ values }), fields)
    expect(request).toMatchObject({ method: 'POST', path: '/hook?team=a' })
    expect(request.headers['content-type']).toBe('application/json')
  })

  test('request, response and list have their fields in order for a change', async () => {
    const { card_id } = scene
    const change = { type: 'input_change', block_id: 'teams', value: ['blue'] }
    const trigger = { type: 'input_change', block_id: 'teams', block_type: 'multiselect', value: ['blue'] }
    const card_state = stateWith({ teams: ['blue'] })
    await expectBody(scene.interact({ card_id, trigger: change }), { card_id, trigger, card_state })
  })

  test('request, response and list have their fields in order for a header action, with a null card and state', async () => {
    const action = { type: 'header_action', action_id: scene.action_id }
    await expectBody(scene.interact({ trigger: action }), { trigger: { ...action, label: 'Refresh' } })
  })

  test('request, response and list have their fields in order for a reply, with a null card and state', async () => {
    const text = 'Yes "so"\n'
    await expectBody(scene.reply(text), { trigger: { type: 'reply', text } })
  })
})

describe('the signature', () => {
  test('the signature passes the verification of the public library', async () => {
    const { request } = await sentBy(scene.click())
    const secret = await secretOf(scene)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(new Webhook(secret).verify(request.body, request.headers)).toStrictEqual(JSON.parse(request.body))
    expect(request.headers['webhook-id']).toBe(JSON.parse(request.body).interaction_id)
    expect(request.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
    expect(() => new Webhook(secret).verify(`${request.body} `, request.headers)).toThrow()
    const otherSecret = await secretOf(await buildScene(service, { account: scene.account }))
    expect(() => new Webhook(otherSecret).verify(request.body, request.headers)).toThrow()
  })

  test('the signature uses both secrets for a day after a rotation, even for a webhook test', async () => {
    const rotated = await buildScene(service, { webhook_url: receiver.url })
    const path = `/channels/${rotated.channel_id}/webhook-secret`
    const before = await secretOf(rotated)
    const { body } = await rotated.account.session<{ secret: string }>('POST', path)
    expect(body.secret).not.toBe(before)
    expect(await secretOf(rotated)).toBe(body.secret)
    await rotated.reply('hello')
    await receiver.hasReceived(1)
    await rotated.account.session('POST', `/channels/${rotated.channel_id}/webhook-test`)
    const sent = await receiver.hasReceived(2)
    for (const request of sent) {
      expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(2)
      for (const secret of [before, body.secret]) new Webhook(secret).verify(request.body, request.headers)
    }

    await service.sql`update webhook_secrets set previous_until = now() where channel_id = ${rotated.channel_id}`
    await rotated.reply('a day later')
    const late = (await receiver.hasReceived(3)).at(-1)
    expect(late?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    new Webhook(body.secret).verify(late?.body ?? '', late?.headers ?? {})
  })

  test('only the owner sees the secret, and the response isn’t stored', async () => {
    const path = `/channels/${scene.channel_id}/webhook-secret`
    const stranger = (await buildScene(service)).account
    for (const method of ['GET', 'POST']) expect((await stranger.session(method, path)).status).toBe(403)
    expect((await scene.account.key('GET', path)).status).toBe(404)
    const { headers } = await scene.account.session('GET', path)
    expect(headers.get('Cache-Control')).toBe('no-store')
  })
})

test('the log keeps the request and the response of a delivery', async () => {
  receiver.behave({ kind: 'answer', status: 202, headers: { 'X-Run': '7' }, body: 'queued' })
  const { request } = await sentBy(scene.click())
  expect(await lastDelivery(scene)).toMatchObject({
    status: 'success',
    response_code: 202,
    attempts: 1,
    error: null,
    url: `${receiver.url}/hook?team=a`,
    request_body: request.body,
    request_headers: { 'webhook-signature': request.headers['webhook-signature'] },
    response_headers: { 'x-run': '7' },
    response_body: 'queued',
  })
})

test('a failed delivery isn’t repeated automatically', async () => {
  receiver.behave({ kind: 'answer', status: 500 })
  await scene.click()
  const failed = { status: 'failed', response_code: 500, error: 'status 500' }
  expect(await lastDelivery(scene)).toMatchObject(failed)
  receiver.recover()
  await scene.reply('the next')
  await lastDelivery(scene)
  expect(receiver.received).toHaveLength(2)
})

test('without a webhook_url, an interaction has no delivery', async () => {
  const quiet = await buildScene(service)
  await quiet.reply('hello')
  expect(await readLog(quiet)).toMatchObject([{ trigger: { text: 'hello' }, deliveries: [] }])
})

test('private addresses are blocked if private networks are denied', async () => {
  const guarded = await startTestService({ WEBHOOK_PRIVATE_NETWORKS: 'deny' })
  const port = new URL(receiver.url).port
  for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]']) {
    const channel = await buildScene(guarded, { webhook_url: `http://${host}:${port}/` })
    await channel.reply('hello')
    const failed = { status: 'failed', response_code: null, error: 'blocked address' }
    expect(await lastDelivery(channel)).toMatchObject(failed)
  }
  expect(receiver.received).toHaveLength(0)
  await guarded.stop()
})
