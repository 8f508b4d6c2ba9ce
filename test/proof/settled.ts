// Whether everything that a run waits for in its quiet phase has happened.
import type { Cluster } from './cluster/cluster.ts'
import type { Remote } from './load/remote.ts'
import type { Streams } from './load/streams.ts'
import type { Viewers } from './load/viewers.ts'

type Watching = { viewers: Remote<Viewers>; streams: Remote<Streams> }

/** Viewers show the whole log, streams have heard all its events, and no delivery waits. */
export async function isSettled({ sql }: Cluster, { viewers, streams }: Watching): Promise<boolean> {
  const shown = await viewers.call('clocks', null)
  const heard = await streams.call('latest', null)
  const rows = await sql<{ channel_id: string; client_id: number; clock: number; event_seq: number }[]>`
    select channel_id, client_id, clock, (
      select coalesce(max(seq), 0) from proof.log l
      where l.channel_id = d.channel_id and events <> '[]'::jsonb) as event_seq
    from documents d`
  const waiting = await sql`select from webhook_deliveries where status in ('pending', 'sending') limit 1`
  const ends = new Map(rows.map(row => [row.channel_id, row]))
  const complete = shown.every(({ channel_id, clocks }) => {
    const end = ends.get(channel_id)
    return end !== undefined && clocks[String(end.client_id)] === end.clock
  })
  const listened = heard.every(
    ({ channel_id, id }) => Number(id.split('.')[1]) >= (ends.get(channel_id)?.event_seq ?? 0),
  )
  return complete && listened && waiting.length === 0
}
