// A delivery goes to the URL that the channel has when it is sent, signed with the secret of that moment.
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordInteraction } from '../../server/model/interactions.ts'
import { expectActivityMatchesRows } from '../support/activity.ts'
import { type DeliveryDetails, readLog, settledLog } from '../support/deliveries.ts'
import { newChannel, newReply, newWorkspace } from '../support/queued.ts'
import { type Receiver, startReceiver, textOf } from '../support/receiver.ts'
import { runService } from '../support/running.ts'
import { buildScene, type Scene } from '../support/scene.ts'

const service = await runService({}, { webhook_timeout_ms: 60_000 })
let old: Receiver
let current: Receiver
let scene: Scene

beforeEach(async () => {
  old = await startReceiver()
  current = await startReceiver()
  old.behave({ kind: 'stall' })
  scene = await buildScene(service, { webhook_url: `${old.url}/old` })
  return () => Promise.all([old.stop(), current.stop()])
})

const setUrl = (webhook_url: string | null) =>
  scene.account.key('PATCH', `/channels/${scene.channel_id}`, { webhook_url })

/** Newest first: the text, and the status, error and URL of the delivery. */
async function readDeliveries(): Promise<[string, string, string | null, string][]> {
  const entries = await readLog(scene)
  return Promise.all(
    entries.map(async ({ trigger, deliveries: [delivery] }) => {
      const path = `/channels/${scene.channel_id}/deliveries/${delivery?.id}`
      const { body } = await scene.account.session<DeliveryDetails>('GET', path)
      return [String(trigger.text), body.status, body.error, body.url]
    }),
  )
}

describe('a pending delivery', () => {
  beforeEach(async () => {
    for (const text of ['first', 'second']) await scene.reply(text)
    await old.hasReceived(1)
  })

  test('a pending delivery goes to the new URL after a change, and the log shows that', async () => {
    await setUrl(`${current.url}/new`)
    expect((await readDeliveries())[0]).toEqual(['second', 'pending', null, `${current.url}/new`])
    old.letGo()
    expect((await current.hasReceived(1)).map(textOf)).toEqual(['second'])
    await settledLog(scene)
    expect(await readDeliveries()).toEqual([
      ['second', 'success', null, `${current.url}/new`],
      ['first', 'success', null, `${old.url}/old`],
    ])
    expect(old.texts()).toEqual(['first'])
  })

  test('a pending delivery fails at once if the URL is removed; a later URL gets only later deliveries', async () => {
    await setUrl(null)
    expect((await readDeliveries())[0]).toMatchObject(['second', 'failed', 'webhook_url was removed', {}])
    await setUrl(current.url)
    await scene.reply('third')
    old.letGo()
    await settledLog(scene)
    expect(current.texts()).toEqual(['third'])
    expect(old.texts()).toEqual(['first'])
    await expectActivityMatchesRows(service.sql)
  })

  test('a pending delivery is signed with the current secret', async () => {
    const path = `/channels/${scene.channel_id}/webhook-secret`
    const { body } = await scene.account.session<{ secret: string }>('POST', path)
    old.recover()
    const [first, second] = (await old.hasReceived(2)).map(
      request => () => new Webhook(body.secret).verify(request.body, request.headers),
    )
    expect(first).toThrow()
    expect(second?.()).toBeTruthy()
  })
})

test('a delivery that is queued while the URL is removed fails when it is due', async () => {
  // As if the interaction had read the URL just before.
  await service.sql.begin(async tx => {
    await tx`update channels set webhook_url = null where id = ${scene.channel_id}`
    await recordInteraction(service.sql, newReply(scene.channel_id, 'late'))
  })
  await settledLog(scene)
  expect((await readDeliveries())[0]).toMatchObject(['late', 'failed', 'webhook_url was removed', {}])
  expect(old.received).toEqual([])
})

test.each([
  ['http://Hook.Example/a?b@c', 'hook.example'],
  ['https://ann:pass@hook.example:8443#d', 'hook.example:8443'],
  ['http:\\\\hook.example\\a', 'hook.example'],
  ['HTTP:hook.example', 'hook.example'],
  ['http://[::1]:80/', '[::1]:80'],
])('the limits per host count %s for %s', async (url, host) => {
  const { sql } = service
  const id = await newChannel(sql, await newWorkspace(sql), 'http://before.example/')
  await sql`update channels set webhook_url = ${url} where id = ${id}`
  expect(await sql`select webhook_host from channels where id = ${id}`).toEqual([{ webhook_host: host }])
})
