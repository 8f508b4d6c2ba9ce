// Whether everything that a run waits for in its quiet phase has happened.
import type { Cluster } from './cluster/cluster.ts'
import type { Posters } from './load/posters.ts'
import type { Remote } from './load/remote.ts'
import type { Streams } from './load/streams.ts'
import type { Viewers } from './load/viewers.ts'

type Watching = { viewers: Remote<Viewers>; streams: Remote<Streams>; posters: Remote<Posters> }

/** Viewers show the whole log, streams have heard all its events, no delivery waits, and nobody waits for a decision that ended. */
export async function isSettled({ sql }: Cluster, { viewers, streams, posters }: Watching): Promise<boolean> {
  const shown = await viewers.call('clocks', null)
  const heard = await streams.call('latest', null)
  const rows = await sql<
    { channel_id: string; client_id: number; clock: number; card_count: number; event_seq: number }[]
  >`
    select channel_id, client_id, clock, card_count, (

      select coalesce(max(seq), 0) from proof.log l
      where l.channel_id = d.channel_id and events <> '[]'::jsonb) as event_seq
    from documents d`
  const waiting = await sql`select from webhook_deliveries where status in ('pending', 'sending') limit 1`
  // Not the counters: a repeated interaction that meets the first one on another instance takes a number that nobody hears of.
  const counters = await sql<{ channel_id: string; last: number }[]>`
    select channel_id, max(number) as last from interactions group by channel_id`
  const numbers = new Map(counters.map(({ channel_id, last }) => [channel_id, last]))
  const awaited = await posters.call('awaited', null)
  const late = await sql`
    select from decisions where id = any(${awaited}::uuid[]) and state <> 'waiting' limit 1`
  const ends = new Map(rows.map(row => [row.channel_id, row]))
  const complete = shown.every(({ channel_id, clocks }) => {
    const end = ends.get(channel_id)
    return end !== undefined && clocks[String(end.client_id)] === end.clock
  })
  const listened = heard.every(
    ({ channel_id, id }) =>
      Number(id.split('.')[1]) >= (ends.get(channel_id)?.event_seq ?? 0) &&
      Number(id.split('.')[3]) >= (numbers.get(channel_id) ?? 0),
  )
  const pages = await streams.call('counts', null)
  const counted = pages.every(counts =>
    Object.entries(counts).every(([id, count]) => (ends.get(id)?.card_count ?? count) === count),
  )
  return complete && listened && counted && waiting.length === 0 && late.length === 0
}

/** No question waits for its deadline. */
export async function hasNoDeadlines({ sql }: Cluster): Promise<boolean> {
  const rows = await sql`select from decisions where state = 'waiting' and expires_at is not null limit 1`
  return rows.length === 0
}

/** No question is left that will end because nobody waits for it. */
export async function hasNoAbandoned({ sql }: Cluster, posters: Remote<Posters>): Promise<boolean> {
  const awaited = await posters.call('awaited', null)
  const rows = await sql`
    select from decisions where state = 'waiting' and abandon = 'cancel' and not id = any(${awaited}::uuid[]) limit 1`
  return rows.length === 0
}
