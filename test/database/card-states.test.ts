// Migration 012 on a database with data: interactions and deliveries read as before.
import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '../../server/database/migrate.ts'
import { getDelivery, queueRedelivery } from '../../server/model/deliveries.ts'
import { findInteraction, listInteractions } from '../../server/model/interactions.ts'
import { newChannel, newWorkspace } from '../support/queued.ts'
import { runDatabase } from '../support/running.ts'
import { migrateBefore } from './folder.ts'

const URL_OF_HOOK = 'http://receiver.example/'
/** A text that jsonb, other quoting or another order of fields would change. */
const STATE = [{ type: 'text', id: 'text', content: 'a  "b" \\ ü\n🎉' }]
const OTHER_STATE = [{ type: 'text', id: 'text', content: 'other' }]

const { sql } = await runDatabase('template0')
await migrateBefore(sql, '012')
const workspace_id = await newWorkspace(sql)
const channel_id = await newChannel(sql, workspace_id, URL_OF_HOOK)
const card_id = randomUUID()
const ids = Array.from({ length: 4 }, () => randomUUID())
const delivery_id = randomUUID()
/** The body as sent, with a card that was deleted later. */
const body = JSON.stringify({ interaction_id: ids[0], channel_id, card_id, card_state: STATE })

for (const [i, state] of [STATE, STATE, OTHER_STATE, null].entries()) {
  await sql`
    insert into interactions (channel_id, number, interaction_id, type, trigger, card_state, timestamp)
    values (${channel_id}, ${i + 1}, ${ids[i] ?? ''}, 'button_click', '{"type":"button_click"}',
      ${state && JSON.stringify(state)}::text::json, now())`
}
await sql`
  insert into webhook_deliveries (channel_id, id, number, status, url, body)
  values (${channel_id}, ${delivery_id}, 1, 'failed', ${URL_OF_HOOK}, ${body})`
await migrate(sql)

test('equal card_states are stored once, and each interaction keeps its own', async () => {
  const { interactions } = await listInteractions(sql, channel_id, 10, null, '')
  expect(interactions.map(({ card_state }) => card_state)).toStrictEqual([null, OTHER_STATE, STATE, STATE])
  expect((await findInteraction(sql, ids[0] ?? ''))?.card_state).toStrictEqual(STATE)
  const copies = await sql<{ hash: Buffer; state: string }[]>`
    select hash, state::text as state from card_states`
  const states = [STATE, OTHER_STATE].map(state => JSON.stringify(state))
  expect(copies.map(({ state }) => state).sort()).toEqual(states)
  // The migration computes the service's hash, so new interactions share old copies.
  for (const { hash, state } of copies)
    expect(hash.toString('hex')).toBe(createHash('sha256').update(state).digest('hex'))
})

test('an old delivery shows and sends again the original bytes', async () => {
  expect((await getDelivery(sql, channel_id, delivery_id, ''))?.request_body).toBe(body)
  const again = await queueRedelivery(sql, { id: channel_id, workspace_id, owner_id: '' }, ids[0] ?? '', '')
  expect(again).toMatchObject({ status: 'pending', attempts: 2 })
  expect((await getDelivery(sql, channel_id, again.id, ''))?.request_body).toBe(body)
})
