// INTERACTION_RETENTION_DAYS: older interactions are deleted, unless a delivery is pending.
import { beforeEach, expect, test } from 'vitest'
import { deleteOldInteractions } from '../../server/model/interactions.ts'
import { readLog, settledLog } from '../support/deliveries.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene, type Scene } from '../support/scene.ts'

const service = await runService()
const receiver = await runReceiver()
let scene: Scene
beforeEach(async () => {
  scene = await buildScene(service, { webhook_url: receiver.url })
})

const age = (text: string, days: number) => service.sql`
  update interactions set created_at = now() - ${days} * interval '1 day'
  where channel_id = ${scene.channel_id} and trigger ->> 'text' = ${text}`
const texts = async () => (await readLog(scene)).map(({ trigger }) => trigger.text)

test('older interactions are deleted with their deliveries, newer ones stay', async () => {
  for (const text of ['old', 'new']) await scene.reply(text)
  await settledLog(scene)
  await age('old', 8)
  await age('new', 6)
  await deleteOldInteractions(service.sql, 7)
  expect(await texts()).toEqual(['new'])
  const left = await service.sql`select from webhook_deliveries where channel_id = ${scene.channel_id}`
  expect(left).toHaveLength(1)
})

test('an interaction with a pending delivery stays until that has ended', async () => {
  receiver.behave({ kind: 'stall' })
  const before = receiver.received.length
  const both = ['sending', 'pending']
  for (const text of both) await scene.reply(text)
  await receiver.count(before + 1)
  for (const text of both) await age(text, 100)
  await deleteOldInteractions(service.sql, 7)
  expect(await texts()).toEqual(['pending', 'sending'])
  receiver.recover()
  await settledLog(scene)
  await deleteOldInteractions(service.sql, 7)
  expect(await texts()).toEqual([])
})

test('all old interactions are deleted, even more than one statement deletes', async () => {
  await service.sql`
    insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp, created_at)
    select ${scene.channel_id}, n, gen_random_uuid(), 'reply', '{"type":"reply","text":"x"}', now(), now() - interval '9 days'
    from generate_series(1, 12000) n`
  await deleteOldInteractions(service.sql, 7)
  expect(await texts()).toEqual([])
})
