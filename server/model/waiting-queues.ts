// Which channels' deliveries are next: first those of the owner who has the fewest on the way, then those that waited
// longest. What this reads depends on how many owners wait and how many places are free, not on how much waits.
import type { Sql, Transaction } from '../database/connect.ts'
import type { Taken } from '../webhooks/places.ts'
import type { Waiting } from '../webhooks/queue.ts'

/** At most as many as there are free places. Leaves out owners that have enough, and what goes to busy hosts. */
export async function readWaiting(
  sql: Sql | Transaction,
  { free, owners, busy, full }: Taken,
): Promise<Waiting[]> {
  // Each owner is found by a step of its own in the index: a plain `distinct` would read every queue of every owner.
  // An owner with `count` places may take half of what is free beyond them: then it holds as many as are left.
  const waiting = await sql<Waiting[]>`
    with recursive owner (id) as (
      (select owner_id from webhook_queues where ready and sending is null order by owner_id limit 1)
      union all
      select (
        select owner_id from webhook_queues where ready and sending is null and owner_id > owner.id
        order by owner_id limit 1)
      from owner where owner.id is not null
    ), taken as (
      select * from json_to_recordset(${JSON.stringify(owners)}::text::json) as t (owner_id uuid, count integer)
    ), busy as (
      select * from json_to_recordset(${JSON.stringify(busy)}::text::json) as t (owner_id uuid, host text)
    ), waiting as (
      select q.*, coalesce(taken.count, 0) as count,
        row_number() over (partition by q.owner_id order by q.since) as nth
      from owner left join taken on taken.owner_id = owner.id cross join lateral (
        select q.channel_id, q.owner_id, q.since, c.webhook_host as host
        from webhook_queues q join channels c on c.id = q.channel_id
        where q.owner_id = owner.id and q.ready and q.sending is null and (c.webhook_host is null
          or (c.webhook_host <> all(${full}::text[])
            and (q.owner_id, c.webhook_host) not in (select owner_id, host from busy)))
        order by q.since limit ${Math.ceil(free / 2)}
      ) q
      where coalesce(taken.count, 0) < ${free}
    )
    select channel_id, owner_id, host from waiting
    where nth <= (${free} - count + 1) / 2 order by count + nth, since limit ${free}`
  return [...waiting]
}
