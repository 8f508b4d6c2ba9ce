// Interactions of a channel share equal card states. Those with other values share the card.
import { beforeEach, expect, test } from 'vitest'
import { deleteUnusedStates } from '../../server/model/card-states.ts'
import { deleteOldInteractions } from '../../server/model/interactions.ts'
import { readLog, settledLog } from '../support/deliveries.ts'
import { countLockWaits, PATIENT_LOCK_MS } from '../support/locks.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene, type LoggedInteraction, type Scene } from '../support/scene.ts'
import type { Answer } from '../support/service.ts'
import { until } from '../support/viewer.ts'

const service = await runService({}, { lock_ms: PATIENT_LOCK_MS })
const receiver = await runReceiver()
let scene: Scene
beforeEach(async () => {
  receiver.received.length = 0
  scene = await buildScene(service, { webhook_url: receiver.url })
})

async function countCopies(): Promise<number> {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::integer as count from card_states where channel_id = ${scene.channel_id}`
  return row?.count ?? 0
}

/** Resolves when at least that many sessions of the database wait for a lock. */
const untilBlocked = (sessions: number) =>
  until(async () => (await countLockWaits(service.sql)) >= sessions, `${sessions} sessions wait`)

/** Its transaction waits for a lock, where a click's turn would try again and again. */
const change = () =>
  scene.interact({
    card_id: scene.card_id,
    trigger: { type: 'input_change', block_id: 'note', value: 'hello' },
  })

/** Records an interaction, and makes it old. */
async function changeLongAgo(): Promise<void> {
  await change()
  await settledLog(scene)
  await service.sql`
    update interactions set created_at = now() - interval '8 days' where channel_id = ${scene.channel_id}`
}

/** The interaction succeeded, and its card state is the only one in the log. */
async function expectOnlyLogged(sent: Promise<Answer<LoggedInteraction>>): Promise<void> {
  const { status, body } = await sent
  expect(status).toBe(201)
  expect((await readLog(scene)).map(({ card_state }) => card_state)).toEqual([body.card_state])
}

test('interactions with the same values share one copy, which their deliveries send', async () => {
  const clicks = [await scene.click(), await scene.click(), await scene.click({ values: { note: 'ü' } })]
  expect(await countCopies()).toBe(2)
  await settledLog(scene)
  expect(receiver.received.map(({ body }) => body)).toEqual(clicks.map(({ body }) => JSON.stringify(body)))
  const stored = await service.sql`
    select from webhook_deliveries where channel_id = ${scene.channel_id} and body is not null`
  expect(stored).toHaveLength(0)
})

test('a channel has its own copies, which are deleted with it', async () => {
  const other = await buildScene(service, { account: scene.account })
  await other.click()
  await scene.click()
  const copies = async () => service.sql`
    select from card_states where channel_id in (${scene.channel_id}, ${other.channel_id})`
  expect(await copies()).toHaveLength(2)
  await other.account.key('DELETE', `/channels/${other.channel_id}`)
  expect(await copies()).toHaveLength(1)
})

test('retention deletes unused copies', async () => {
  await scene.click({ values: { note: 'only then' } })
  await changeLongAgo()
  const changing = change()
  await changing
  await settledLog(scene)
  await deleteOldInteractions(service.sql, 7)
  await expectOnlyLogged(changing)
  // The card, and the values of the interaction that is left.
  expect(await countCopies()).toBe(2)
})

test('retention keeps the copy of an interaction that isn’t committed yet', async () => {
  await changeLongAgo()
  // The lock stops the interaction between its insert and its commit.
  const { changing, retention } = await service.database.sql.begin(async tx => {
    await tx`lock table webhook_queues in access exclusive mode`
    const changing = change()
    await untilBlocked(1)
    const retention = deleteOldInteractions(service.sql, 7)
    await untilBlocked(2)
    return { changing, retention }
  })
  await retention
  await expectOnlyLogged(changing)
})

test('an interaction stores its copy again if retention is deleting it', async () => {
  await change()
  await settledLog(scene)
  const { changing } = await service.database.sql.begin(async tx => {
    await tx`select from interaction_counters where channel_id = ${scene.channel_id} for update`
    await tx`delete from interactions where channel_id = ${scene.channel_id}`
    const states = await tx<{ hash: string }[]>`
      select encode(hash, 'hex') as hash from card_states where channel_id = ${scene.channel_id}`
    await deleteUnusedStates(
      tx,
      scene.channel_id,
      states.map(({ hash }) => hash),
    )
    const changing = change()
    await untilBlocked(1)
    return { changing }
  })
  await expectOnlyLogged(changing)
})
