// D3: the server's clock decides whether a press is in time, whatever time the device claims.
import { expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { ask } from '../support/decisions.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { times } from '../support/times.ts'

const DEADLINE_S = 60
const QUESTIONS = 10

let ahead = 0
const now = () => Date.now() + ahead
const service = await runService({}, { now })
const scene = await buildScene(service)
const { key } = scene.account

test('D3: a press after the deadline that claims an earlier time does not count', async () => {
  const asked = await times(QUESTIONS, () => ask(key, scene.channel_id, { expires_in: DEADLINE_S }))
  const claimed = [new Date(now()).toISOString(), new Date(now() + 1_000 * (DEADLINE_S - 1)).toISOString()]
  ahead = 1_000 * (DEADLINE_S + 1)
  // Most presses arrive before the sweep has closed their questions.
  const answers = await Promise.all(
    asked.map(({ card_id, id }, i) =>
      scene.interact({
        card_id,
        trigger: { type: 'button_click', button_id: 'yes', decision_id: id },
        timestamp: claimed[i % claimed.length],
      }),
    ),
  )
  const refusal = { status: 409, body: { code: 'expired', decision: { state: 'expired', outcome: null } } }
  for (const answer of answers) expect(answer).toMatchObject(refusal)
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
