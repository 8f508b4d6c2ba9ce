// An interaction is recorded once per id, even if it is sent repeatedly or its channel or card is deleted.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { recordInteraction } from '../../server/model/interactions.ts'
import { invalid } from '../support/errors.ts'
import { countInteractions } from '../support/interactions.ts'
import { PATIENT_LOCK_MS } from '../support/locks.ts'
import { newReply } from '../support/queued.ts'
import { runInstance, runReceiver, runService } from '../support/running.ts'
import { buildScene, type Scene, sceneAt } from '../support/scene.ts'
import { times } from '../support/times.ts'

const receiver = await runReceiver()
const service = await runService({}, { lock_ms: PATIENT_LOCK_MS })
const second = await runInstance(service)

const buildSent = (path: string) => buildScene(service, { webhook_url: receiver.url + path })
const at = (path: string) => receiver.received.filter(one => one.path === path)

const countRecorded = ({ channel_id }: Scene) => countInteractions(service.sql, channel_id)

test('a repeated interaction returns 200 with the first response, and is delivered once', async () => {
  const scene = await buildSent('/again')
  const interaction_id = randomUUID()
  const first = await scene.click({ interaction_id, values: { note: 'one' } })
  expect(first.status).toBe(201)
  const again = await scene.click({ interaction_id, values: { note: 'two' } })
  expect(again.status).toBe(200)
  expect(again.body).toStrictEqual(first.body)
  // Only the id counts, not the rest of the body.
  const other = await scene.reply('hello', { interaction_id: interaction_id.toUpperCase() })
  expect([other.status, other.body]).toEqual([200, first.body])
  await scene.reply('last')
  await receiver.hasReceived(2)
  expect(at('/again').map(({ body }) => JSON.parse(body).trigger.type)).toEqual(['button_click', 'reply'])
})

test('a repeated interaction returns 200 even if the channel is no longer interactive', async () => {
  const scene = await buildScene(service)
  const interaction_id = randomUUID()
  await scene.click({ interaction_id })
  await scene.account.key('PATCH', `/channels/${scene.channel_id}`, { mode: 'view' })
  expect((await scene.click({ interaction_id })).status).toBe(200)
  expect((await scene.click()).status).toBe(403)
})

test('a repeated interaction returns 200 even if the card was deleted, with a null card_id', async () => {
  const scene = await buildScene(service)
  const interaction_id = randomUUID()
  const first = await scene.click({ interaction_id })
  await scene.account.key('DELETE', `/channels/${scene.channel_id}/cards/${scene.card_id}`)
  const again = await scene.click({ interaction_id })
  expect([again.status, again.body]).toEqual([200, { ...first.body, card_id: null }])
})

test('the id of another channel’s interaction returns 400', async () => {
  const [one, other] = [await buildScene(service), await buildScene(service)]
  const interaction_id = randomUUID()
  await one.reply('hello', { interaction_id })
  const body = { interaction_id, trigger: { type: 'reply', text: 'hello' } }
  expect(await other.interact(body)).toMatchObject(invalid('interaction_id is already in use'))
  expect(await countRecorded(other)).toBe(0)
})

test('twenty at once on two instances are recorded once and get the same response', async () => {
  const scene = await buildSent('/parallel')
  const interaction_id = randomUUID()
  const responses = await times(20, i => sceneAt(i % 2 ? service : second, scene).click({ interaction_id }))
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  for (const response of responses) expect(response.body).toStrictEqual(responses[0]?.body)
  expect(await countRecorded(scene)).toBe(1)
  const before = receiver.received.length
  await scene.reply('last')
  await receiver.hasReceived(before + 1)
  expect(at('/parallel').length).toBeLessThanOrEqual(2)
  expect(at('/parallel').filter(one => one.body.includes(interaction_id))).toHaveLength(1)
})

test('at once in two channels, one is recorded and the other returns 400', async () => {
  const scenes = [await buildScene(service), await buildScene(service)]
  const interaction_id = randomUUID()
  const responses = await Promise.all(scenes.map(scene => scene.reply('hello', { interaction_id })))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 400])
})

test('a channel or card that is deleted after the check returns 404', async () => {
  const record = (channel_id: string, card_id: string | null) =>
    recordInteraction(service.sql, { ...newReply(channel_id, 'hello'), card_id })
  const { channel_id } = await buildScene(service)
  const error = (message: string) => ({ status: 404, message })
  await expect(record(randomUUID(), null)).rejects.toMatchObject(error('Channel not found'))
  await expect(record(channel_id, randomUUID())).rejects.toMatchObject(error('Card not found'))
})

test('interactions during a channel’s deletion return 201 or 404, without deadlocks', async () => {
  const scene = await buildSent('/deleted')
  const replies = times(60, async i => (await scene.reply(`reply ${i}`)).status)
  expect((await scene.account.key('DELETE', `/channels/${scene.channel_id}`)).status).toBe(200)
  expect((await replies).filter(status => status !== 201 && status !== 404)).toEqual([])
  expect(await countRecorded(scene)).toBe(0)
})
