// Inserts and counts interactions as rows.
import { randomUUID } from 'node:crypto'
import type { Sql } from '../../server/database/connect.ts'

export type Inserted = Awaited<ReturnType<typeof insertInteraction>>

/** Inserts with the channel's next number. Returns the interaction as listed. */
export async function insertInteraction(
  sql: Sql,
  channel_id: string,
  trigger: { type: string; [field: string]: unknown },
  { card_id = null, card_state = null }: { card_id?: string | null; card_state?: unknown[] | null } = {},
) {
  const [counter] = await sql<{ last: number }[]>`
    insert into interaction_counters (channel_id, last) values (${channel_id}, 1)
    on conflict (channel_id) do update set last = interaction_counters.last + 1 returning last`
  const interaction = {
    interaction_id: randomUUID(),
    channel_id,
    card_id,
    timestamp: new Date().toISOString(),
    trigger,
    card_state,
  }
  await sql`
    with state as (select ${card_state && JSON.stringify(card_state)}::text as text), logged as (
      insert into interactions
        (channel_id, number, interaction_id, card_id, type, trigger, card_state_hash, timestamp)
      select ${channel_id}, ${counter?.last ?? 0}, ${interaction.interaction_id}, ${card_id}, ${trigger.type},
        ${JSON.stringify(trigger)}::text::jsonb, sha256(convert_to(text, 'UTF8')), ${interaction.timestamp} from state
    )
    insert into card_states (channel_id, hash, state)
    select ${channel_id}, sha256(convert_to(text, 'UTF8')), text::json from state where text is not null
    on conflict do nothing`
  return interaction
}

export async function countInteractions(sql: Sql, channel_id: string): Promise<number> {
  return (await sql`select from interactions where channel_id = ${channel_id}`).length
}
