// Which database wrote the documents. A restored backup or a promoted standby may lack what viewers have seen:
// then the generation rises, and every document begins a new epoch when it is next opened.
import type { Transaction } from '../database/connect.ts'

/**
 * The present generation, and whether it has just been raised. `restored`: this database was just put back from a
 * backup.
 */
export async function settleGeneration(
  sql: Transaction,
  restored: boolean,
): Promise<{ generation: number; raised: boolean }> {
  const now = await identify(sql)
  const [known] = await sql<{ generation: number }[]>`
    select generation from database_generation for update`
  const [row] = await sql<{ generation: number }[]>`
    insert into database_generation as known (generation, system_identifier, timeline)
    values (1, ${now.system_identifier}, ${now.timeline})
    on conflict (singleton) do update set
      generation = known.generation + case when ${restored}
        or known.system_identifier <> excluded.system_identifier or known.timeline <> excluded.timeline
        then 1 else 0 end,
      system_identifier = excluded.system_identifier, timeline = excluded.timeline
    returning generation`
  if (!row) throw new Error('an upsert returns its row')
  return { ...row, raised: restored || (known !== undefined && row.generation > known.generation) }
}

async function identify(sql: Transaction): Promise<{ system_identifier: string; timeline: number }> {
  const [row] = await sql<{ system_identifier: string; timeline: number }[]>`
    select (select system_identifier::text from pg_control_system()) as system_identifier,
      (select timeline_id from pg_control_checkpoint()) as timeline`
  if (!row) throw new Error('a select without from has one row')
  return row
}
