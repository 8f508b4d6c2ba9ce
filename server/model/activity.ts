// Counts the interactions and deliveries of a user's channels by UTC day.
import type { PendingQuery, Row } from 'postgres'
import { USAGE_DAYS_MAX } from '../../shared/limits.ts'
import type { UsageChannel, UsageDay } from '../../shared/usage.ts'
import type { AnySql, Sql } from '../database/connect.ts'
import { utcDay } from '../rate-limit.ts'

const DAY_MS = 86_400_000

export type Fragment = PendingQuery<Row[]>

export const utcDayOf = (sql: AnySql, column: string) => sql`(${sql(column)} at time zone 'UTC')::date`

/** For a `with` clause. `events` selects `channel_id`, `day`, `what` and `count`, one row per combination. */
export function countActivity(sql: AnySql, events: Fragment) {
  return sql`
    insert into daily_activity (user_id, day, channel_id, what, count)
    select w.user_id, e.day, e.channel_id, e.what, e.count
    from (${events}) e join channels c on c.id = e.channel_id join workspaces w on w.id = c.workspace_id
    order by e.channel_id, e.day, e.what
    on conflict (user_id, day, channel_id, what) do update set count = daily_activity.count + excluded.count`
}

export async function readHistory(sql: Sql, user_id: string, days: number, now: number): Promise<UsageDay[]> {
  const [first, last] = [utcDay(now - (days - 1) * DAY_MS), utcDay(now)]
  return sql<UsageDay[]>`
    select d.day::date as day, coalesce(u.cards, 0) as cards, coalesce(u.channels, 0) as channels,
      coalesce(a.interactions, 0) as interactions, coalesce(a.delivered, 0) as delivered, coalesce(a.failed, 0) as failed
    from generate_series(${first}::date::timestamp, ${last}::date::timestamp, interval '1 day') d (day)
      left join daily_usage u on u.user_id = ${user_id} and u.day = d.day::date
      left join (
        select day, sum(count) filter (where what = 'interaction') as interactions,
          sum(count) filter (where what = 'delivered') as delivered, sum(count) filter (where what = 'failed') as failed
        from daily_activity where user_id = ${user_id} and day between ${first}::date and ${last}::date group by day
      ) a on a.day = d.day::date
    order by d.day`
}

/** What cards, changes and interactions of the user's channels have added today. */
export async function readBytes(sql: Sql, user_id: string, now: number): Promise<number> {
  const [today] = await sql<{ bytes: number }[]>`
    select bytes from daily_usage where user_id = ${user_id} and day = ${utcDay(now)}`
  return today?.bytes ?? 0
}

const CHANNELS_MAX = 20

/** The busiest first. */
export async function readBusyChannels(
  sql: Sql,
  user_id: string,
  days: number,
  now: number,
): Promise<UsageChannel[]> {
  return sql<UsageChannel[]>`
    select c.id, c.name, c.icon, coalesce(sum(a.count) filter (where a.what = 'interaction'), 0) as interactions,
      coalesce(sum(a.count) filter (where a.what = 'delivered'), 0) as delivered,
      coalesce(sum(a.count) filter (where a.what = 'failed'), 0) as failed
    from daily_activity a join channels c on c.id = a.channel_id
    where a.user_id = ${user_id} and a.day between ${utcDay(now - (days - 1) * DAY_MS)}::date and ${utcDay(now)}::date
    group by c.id having sum(a.count) > 0 order by sum(a.count) desc, c.id limit ${CHANNELS_MAX}`
}

export async function deleteOldActivity(sql: Sql, now: number): Promise<void> {
  await sql`delete from daily_activity where day < ${utcDay(now - (USAGE_DAYS_MAX - 1) * DAY_MS)}::date`
}
