// Chooses the channels whose webhook deliveries are next, with fair shares for owners and receivers.
import type { Sql, Transaction } from '../database/connect.ts'

export type SlotUsage = {
  free: number
  owners: { owner_id: string; count: number }[]
  /** An owner here may have no more slots at the host. */
  busy: { owner_id: string; host: string }[]
  full: string[]
}

/** A channel with a pending delivery. `host`: null if the channel's URL was removed. */
export type WaitingChannel = { channel_id: string; owner_id: string; host: string | null }

/** First channels of the owner with the fewest slots, then those that waited longest; at most one per free slot. */
export async function readWaitingChannels(sql: Sql | Transaction, { free, owners, busy, full }: SlotUsage) {
  // The recursion finds each owner with one step in the index; `distinct` would read all queues. An owner with `count`
  // slots may take half of (free - count) more, and then holds as many as stay free.
  return sql<WaitingChannel[]>`
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
}
