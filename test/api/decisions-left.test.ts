// Questions that wait in their row although their card doesn't ask them any more. Version 0.2 leaves them behind, because it
// doesn't know decisions and may run beside this one.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { DecisionExpiry } from '../../server/decisions/expiry.ts'
import { deleteOldDecisions } from '../../server/decisions/retention.ts'
import { createEndQuestion } from '../../server/model/end-question.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { createAccount } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { ask, question, waitFor } from '../support/decisions.ts'
import { holdLocks } from '../support/locks.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

const service = await runService()
const { sql, feeds } = service
const endQuestion = createEndQuestion({ feeds, logged: () => {} })
const log = pino({ level: 'silent' })
const { account, channel_id, card_id } = await buildScene(service)
const { key } = account
const cards = `/channels/${channel_id}/cards`

const PASSED = '2026-01-31T12:00:00.000Z'

/** Copies a waiting question's row, as one of a card that doesn't ask it. `on`: null for a deleted card. */
async function leave(
  on: string | null,
  { id }: { id: string },
  change: { key?: string; expires_at?: string },
) {
  const left = randomUUID()
  const [row] = await sql<{ decision: object }[]>`select decision from decisions where id = ${id}`
  const decision = JSON.stringify({ ...row?.decision, id: left, ...change })
  const { key = null, expires_at = null } = change
  await sql`
    insert into decisions (channel_id, id, card_id, block_id, key, state, expires_at, decision, details)
    select channel_id, ${left}, ${on}, block_id, ${key}, state, ${expires_at}, ${decision}::text::json, details
    from decisions where id = ${id}`
  return { id: left, path: `/channels/${channel_id}/decisions/${left}` }
}

const stateOf = async ({ id }: { id: string }) =>
  (await sql<{ state: string }[]>`select state from decisions where id = ${id}`)[0]?.state

const asked = await ask(key, channel_id)

describe.each([
  ['a card that has other blocks now', card_id],
  ['a deleted card', null],
])('a question of %s', (_, on) => {
  test('a question ends at its deadline, and is logged', async () => {
    const left = await leave(on, asked, { expires_at: PASSED })
    expect((await key<FullDecision>('GET', left.path)).body).toMatchObject({
      state: on ? 'expired' : expect.stringMatching(/expired|cancelled/),
    })
    await until(async () => (await stateOf(left)) !== 'waiting', 'the question has ended')
    expect((await key<FullDecision>('GET', left.path)).body).toMatchObject({
      state: 'expired',
      ended_at: PASSED,
      outcome: null,
    })
    const logged = await sql`select card_id, type from interactions where decision_id = ${left.id}`
    expect(logged).toEqual([{ card_id: on, type: 'decision_expired' }])
  })

  test('a question is withdrawn by DELETE', async () => {
    const left = await leave(on, asked, {})
    expect((await key('DELETE', left.path)).body).toMatchObject({ state: 'cancelled' })
    expect(await stateOf(left)).toBe('cancelled')
  })

  test('a new, a replaced and a reopened question take over the key', async () => {
    const blocks = (name: string) => ({ blocks: question({ key: name }) })
    const first = await leave(on, asked, { key: 'posted' })
    expect((await key('POST', cards, blocks('posted'))).status).toBe(201)
    const second = await leave(on, asked, { key: 'put', expires_at: PASSED })
    expect((await key('PUT', `${cards}/by-key/left-${on}`, blocks('put'))).status).toBe(201)
    const other = await ask(key, channel_id, { key: 'again' })
    expect((await key('DELETE', other.path)).status).toBe(200)
    const third = await leave(on, asked, { key: 'again' })
    const reopen = { blocks: [{ id: 'ask', patch: { decision: { reopen: true } } }] }
    expect((await key('PATCH', `${cards}/${other.card_id}`, reopen)).status).toBe(200)
    for (const one of [first, second, third]) expect(await stateOf(one)).not.toBe('waiting')
    await sql`update decisions set state = 'cancelled', key = null where key is not null`
  })

  test('a question answers the request that waits for it when it ends', async () => {
    const left = await leave(on, asked, { key: 'awaited', expires_at: '2099-01-31T12:00:00.000Z' })
    const answer = waitFor(key, left.path)
    if (on) await until(() => service.waits.open.length > 0, 'the request waits')
    await key('DELETE', left.path)
    expect((await answer).body.state).toBe('cancelled')
  })
})

test('a question without a deadline ends with the hourly sweep, and one that its card asks stays', async () => {
  const left = await times(70, () => leave(card_id, asked, {}))
  await new DecisionExpiry({ sql, log, now: Date.now, endQuestion }).sweepLeft()
  for (const one of left) expect(await stateOf(one)).toBe('cancelled')
  expect(await stateOf(asked)).toBe('waiting')
})

test('questions that can’t be closed don’t delay those of other owners', async () => {
  const other = await createAccount(service)
  const its_channel = await createChannel(other, { name: 'Elsewhere', mode: 'interactive' })
  const left = await times(70, () => leave(card_id, asked, {}))
  const release = await holdLocks(service.database, tx => {
    return tx`select from channels where id = ${channel_id} for update`
  })
  await sql`update decisions set expires_at = ${PASSED} where id in ${sql(left.map(({ id }) => id))}`
  const { id } = await ask(other.key, its_channel, { expires_in: 1 })
  const due = Date.now() + 1_000
  await until(async () => (await stateOf({ id })) === 'expired', 'the other question has ended')
  expect(Date.now() - due).toBeLessThan(3_000)
  await release()
  const ended = await Promise.all(left.map(({ path }) => key<FullDecision>('GET', path)))
  for (const { body } of ended) expect(body.state).not.toBe('waiting')
}, 60_000)

test('retention leaves out rows that wait, and goes on after an error', async () => {
  const waiting = await leave(card_id, asked, {})
  const [bad, good] = await Promise.all([buildScene(service), buildScene(service)])
  const decide = async ({ account, channel_id, interact }: typeof bad) => {
    const { id, card_id } = await ask(account.key, channel_id)
    await interact(
      { card_id, trigger: { type: 'button_click', button_id: 'yes' } },
      { Cookie: account.cookie },
    )
    return id
  }
  const [stays, goes] = [await decide(bad), await decide(good)]
  await sql`update decisions set ended_at = now() - interval '9 days' where id in ${sql([waiting.id, stays])}`
  await sql`update decisions set ended_at = now() - interval '8 days' where id = ${goes}`
  // Its channel can't be written.
  const release = await holdLocks(service.database, tx => {
    return tx`select from documents where channel_id = ${bad.channel_id} for update`
  })
  await deleteOldDecisions({ sql, log, endQuestion }, 7)
  await release()
  expect(await stateOf({ id: goes })).toBeUndefined()
  expect(await stateOf({ id: stays })).toBe('decided')
  expect(await stateOf(waiting)).toBe('waiting')
}, 60_000)
