// Rows of the `decision_looks` table: when the key that asked last looked at a decision, and how long its lease lasts.
import type { PendingQuery, Row } from 'postgres'
import type { Looks } from '../../shared/looks.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { LOOK_TIMES } from './look-times.ts'

export type Looked = { channel_id: string; decision_id: string }

/** `ago`: ms since a waiter was there; null for a look without a wait. */
export type LookWrite = Looked & { ago: number | null }

const SHOWN_MAX = 200

const ms = (sql: AnySql, count: number) => sql`${count} * interval '1 ms'`

/** In one statement. Leases that last long enough stay as they are. `left_ms`: how long each lasts; null: there is none. */
export function writeLooks(
  sql: Sql,
  looks: LookWrite[],
): Promise<{ decision_id: string; left_ms: number | null }[]> {
  const { lease, short, look } = LOOK_TIMES
  /** `l` is the row so far, if there is one. */
  const isDue = (next: PendingQuery<Row[]>) => sql`
    coalesce(case when ${next}.leased
      then not l.leased or l.until is null or l.until < ${next}.until - ${ms(sql, lease - short)}
      else l.looked_at <= ${next}.looked_at - ${ms(sql, look)} end, true)`
  return sql`
    with looked as (
      select channel_id, decision_id, now() - coalesce(ago, 0) * interval '1 ms' as looked_at,
        now() - ago * interval '1 ms' + ${ms(sql, lease)} as until, ago is not null as leased
      from json_to_recordset(${JSON.stringify(looks)}::text::json)
        as given (channel_id uuid, decision_id uuid, ago float8)
    ), written as (
      insert into decision_looks as l (channel_id, decision_id, looked_at, until, leased)
      select w.* from looked w left join decision_looks l using (channel_id, decision_id)
      where ${isDue(sql`w`)} order by channel_id, decision_id
      on conflict (channel_id, decision_id) do update set looked_at = excluded.looked_at,
        until = coalesce(excluded.until, l.until), leased = l.leased or excluded.leased
        where ${isDue(sql`excluded`)}
      returning channel_id, decision_id, until, leased
    )
    select decision_id, case when coalesce(written.leased, l.leased)
        then extract(epoch from coalesce(written.until, l.until) - now())::float8 * 1000 end as left_ms
    from looked left join written using (channel_id, decision_id)
      left join decision_looks l using (channel_id, decision_id)`
}

/** The newest waiting questions of the channel that were ever looked at. `now`: for their deadlines, ISO 8601. */
export async function readLooks(sql: Sql, channel_id: string, now: string): Promise<Looks> {
  const rows = await sql<{ id: string; waiting: boolean; looked_at: string }[]>`
    select d.id, coalesce(l.leased and l.until > now(), false) as waiting, l.looked_at
    from decision_looks l join decisions d on d.channel_id = l.channel_id and d.id = l.decision_id
    where l.channel_id = ${channel_id} and l.looked_at is not null and d.state = 'waiting'
      and (d.expires_at is null or d.expires_at > ${now})
    order by d.number desc limit ${SHOWN_MAX}`
  return { looks: Object.fromEntries(rows.map(({ id, ...look }) => [id, look])) }
}

/** Returns false if the lease hasn't passed: a waiter was faster. */
export async function takePassedLease(
  tx: Transaction,
  { channel_id, decision_id }: Looked,
): Promise<boolean> {
  const { count } = await tx`
    delete from decision_looks
    where channel_id = ${channel_id} and decision_id = ${decision_id} and until <= now()`
  return count > 0
}

/**
 * The questions that may be abandoned, with their leases, as `d` and `l`. Without a lease: nobody has waited yet. A lease
 * that is too far ahead was written before the database's clock went back.
 */
export const fromAbandonable = (sql: Sql) => sql`
  from decisions d left join decision_looks l on l.channel_id = d.channel_id and l.decision_id = d.id
  where d.state = 'waiting' and d.abandon = 'cancel'`

export const hasNoLease = (sql: Sql) => sql`
  (l.until is null or l.until > now() + ${ms(sql, LOOK_TIMES.first)})`

/** Those without a lease stay for a while, so that somebody can come to wait. */
export async function giveFirstLeases(sql: Sql): Promise<void> {
  await sql`
    insert into decision_looks as l (channel_id, decision_id, until)
    select d.channel_id, d.id, now() + ${ms(sql, LOOK_TIMES.first)} ${fromAbandonable(sql)} and ${hasNoLease(sql)}
    order by d.channel_id, d.id
    on conflict (channel_id, decision_id) do update set until = excluded.until, leased = false
      where ${hasNoLease(sql)}`
}

/** Of decisions that have ended, or that are gone. */
export async function deleteOldLooks(sql: Sql): Promise<void> {
  await sql`
    delete from decision_looks l where not exists (
      select from decisions d
      where d.channel_id = l.channel_id and d.id = l.decision_id and d.state = 'waiting')`
}
