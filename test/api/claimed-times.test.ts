// D3: the server's clock decides whether a press is in time, whatever time the device claims.
import { expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { pushCard } from '../support/cards.ts'
import { ask } from '../support/decisions.ts'
import { countLockWaits, holdLocks, PATIENT_LOCK_MS } from '../support/locks.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

const DEADLINE_S = 60
const QUESTIONS = 5

let ahead = 0
const now = () => Date.now() + ahead
const service = await runService({}, { now, lock_ms: PATIENT_LOCK_MS })
const scene = await buildScene(service)
const { key } = scene.account

test('D3: a press after the deadline that claims an earlier time does not count', async () => {
  const { channel_id } = scene
  const asked = await times(QUESTIONS, () => ask(key, channel_id, { expires_in: DEADLINE_S }))
  // While a turn waits for the lock, the presses gather for the next one, and the deadline passes.
  const unlock = await holdLocks(
    service.database,
    sql => sql`select from documents where channel_id = ${channel_id} for update`,
  )
  const first = pushCard(key, `/channels/${channel_id}/cards`)
  await until(async () => (await countLockWaits(service.sql)) > 0, 'the first turn waits')
  const sent = asked.map(({ card_id, id: decision_id }) =>
    scene.interact({
      card_id,
      trigger: { type: 'button_click', button_id: 'yes', decision_id },
      timestamp: new Date(now()).toISOString(),
    }),
  )
  // They are in the queue when requests that came later have their answers.
  for (let i = 0; i < QUESTIONS; i++) await key('GET', `/channels/${channel_id}/cards`)
  ahead = 1_000 * (DEADLINE_S + 1)
  await unlock()
  await first
  const refusal = { status: 409, body: { code: 'expired', decision: { state: 'expired', outcome: null } } }
  for (const answer of await Promise.all(sent)) expect(answer).toMatchObject(refusal)
  for (const { path } of asked) expect((await key<FullDecision>('GET', path)).body.state).toBe('expired')
})

test('D1: of two presses, the first that arrives decides, even if the other claims an earlier time', async () => {
  const asked = await ask(key, scene.channel_id)
  const press = (button_id: string, ms: number) =>
    scene.interact({
      card_id: asked.card_id,
      trigger: { type: 'button_click', button_id },
      timestamp: new Date(now() - ms).toISOString(),
    })
  expect((await press('no', 0)).status).toBe(201)
  expect(await press('yes', 3_600_000)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
})
