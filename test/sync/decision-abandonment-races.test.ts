// Presses and closings of abandoned questions at the same moment, on two instances: one outcome, the same everywhere.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Decision, FullDecision } from '../../shared/decision.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { ask } from '../support/decisions.ts'
import { runWithMovedClock } from '../support/moved-clock.ts'
import { runReceiver } from '../support/running.ts'
import { buildScene, sceneAt } from '../support/scene.ts'
import { times } from '../support/times.ts'

const receiver = await runReceiver()
const clock = await runWithMovedClock()
const { sql } = clock.database
const here = await clock.run()
const there = await clock.run()
const scene = await buildScene(here, { webhook_url: receiver.url, blocks: [{ type: 'divider' }] })
const other = sceneAt(there, scene)
const { account, channel_id } = scene
await clock.pass(60, [here, there])

const ROUNDS = 8
const AT_ONCE = 25

test(`D9: of ${ROUNDS * AT_ONCE} presses and closings at the same moment one wins, and rows = document = log = webhook`, async () => {
  const outcomes = new Map<string, FullDecision['state']>()
  for (let round = 0; round < ROUNDS; round++) {
    const asked = await times(AT_ONCE, () => ask(account.key, channel_id, { abandon: 'cancel' }))
    await clock.pass(1, [here, there])
    await clock.jump(60)
    const press = (card_id: string, i: number) =>
      (i % 2 ? scene : other).interact({
        interaction_id: randomUUID(),
        card_id,
        trigger: { type: 'button_click', button_id: 'yes' },
      })
    const first = asked.slice(0, round).map(({ card_id }, i) => press(card_id, i))
    await Promise.all(first)
    const closing = [here, there].map(({ abandonment }) => abandonment.sweep())
    const rest = asked.slice(round).map(({ card_id }, i) => press(card_id, i))
    const answers = await Promise.all([...first, ...rest])
    await Promise.all(closing)
    for (const [i, { id, path }] of asked.entries()) {
      const { body } = await account.key<FullDecision>('GET', path)
      const { status, body: answer } = answers[i] ?? {}
      const won = status === 201
      if (!won) expect([status, answer]).toMatchObject([409, { code: 'cancelled' }])
      expect([body.state, body.reason]).toEqual(won ? ['decided', null] : ['cancelled', 'abandoned'])
      outcomes.set(id, body.state)
    }
  }
  // Otherwise nothing was raced for.
  expect(new Set(outcomes.values())).toEqual(new Set(['decided', 'cancelled']))

  const rows = await sql<{ id: string; decision: Decision; presses: number; shown: Decision }[]>`
    select d.id, d.decision, shown.decision as shown,
      (select count(*)::integer from interactions i where i.channel_id = d.channel_id and i.decision_id = d.id) as presses
    from decisions d join cards k on k.channel_id = d.channel_id and k.id = d.card_id
      cross join lateral (
        select block->'decision' as decision from json_array_elements(k.blocks) block
        where block->'decision' is not null) shown
    where d.channel_id = ${channel_id}`
  expect(rows).toHaveLength(ROUNDS * AT_ONCE)
  for (const { id, decision, presses, shown } of rows) {
    expect([decision.state, presses]).toEqual([outcomes.get(id), decision.state === 'decided' ? 1 : 0])
    expect(shown).toEqual(decision)
  }
  await expectRowsMatchDocument(sql, channel_id)
  const decided = [...outcomes].flatMap(([id, state]) => (state === 'decided' ? [id] : []))
  const received = await receiver.hasReceived(decided.length)
  const told = received.map(({ body }): string => JSON.parse(body).decision.id)
  expect(told.sort()).toEqual(decided.sort())
}, 120_000)

test('D9: a waiter that comes back at the moment of the closing finds the question ended, or keeps it', async () => {
  const asked = await times(AT_ONCE, () => ask(account.key, channel_id, { abandon: 'cancel' }))
  await clock.pass(1, [here, there])
  await clock.jump(60)
  for (const { id } of asked) there.looks.enter({ channel_id, decision_id: id })
  await Promise.all([there.looks.renew(), here.abandonment.sweep()])
  for (const { id, path } of asked) {
    const { state } = (await account.key<FullDecision>('GET', path)).body
    const [lease] = await sql`
      select from decision_looks where decision_id = ${id} and leased and until > now()`
    // A lease that came after the closing may be there too.
    if (state === 'waiting') expect(lease).toBeDefined()
    there.looks.leave(id)
  }
})
