// Compares the daily counters with the rows they count.
import { expect } from 'vitest'
import type { Sql } from '../../server/database/connect.ts'

/** Valid for channels that exist and whose rows were never deleted. */
export async function expectActivityMatchesRows(sql: Sql): Promise<void> {
  const rows = await sql`
    select (i.created_at at time zone 'UTC')::date as day, channel_id, 'interaction' as what, count(*)
    from interactions i where type <> 'test' group by 1, 2, 3
    union all
    select (d.created_at at time zone 'UTC')::date, channel_id,
      case d.status when 'success' then 'delivered' else 'failed' end, count(*)
    from webhook_deliveries d join interactions i using (channel_id, number)
    where d.status in ('success', 'failed') and i.type <> 'test' group by 1, 2, 3
    order by 1, 2, 3`
  const counted = await sql`
    select a.day, a.channel_id, a.what, a.count from daily_activity a join channels c on c.id = a.channel_id
    where a.count <> 0 order by 1, 2, 3`
  expect([...counted]).toEqual([...rows])
}
