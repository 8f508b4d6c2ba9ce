// All viewers of the run leave, and come back when the log no longer reaches back to them: it is made older than it is,
// and the service prunes it. They need the whole document then.
import { until } from '../wait.ts'
import type { Ongoing, Stage } from './nemesis.ts'

const MINUTES = 11
/** Each instance prunes once a minute. */
const PRUNED_MS = 70_000

export async function beAway(stage: Stage): Promise<Ongoing> {
  const { viewers, sql } = stage
  await viewers.call('leave', null)
  let lacking = 0
  return {
    async end() {
      await sql`update document_updates set created_at = created_at - ${MINUTES} * interval '1 minute'`
      await sql`update documents set prune_at = prune_at - ${MINUTES} * interval '1 minute'`
      await until(async () => (await unreached(stage)).every(Boolean), 'the log is pruned', PRUNED_MS)
      lacking = (await unreached(stage)).length
      await viewers.call('comeBack', null)
    },
    evidence: () => (lacking > 0 ? `the log began after the last turn of all ${lacking} viewers` : null),
  }
}

/** For each viewer, whether the log no longer has the last turn that it shows, and has later ones. */
async function unreached({ viewers, sql }: Stage): Promise<boolean[]> {
  const rows = await sql<{ channel_id: string; client_id: number; clock: number; first: number | null }[]>`
    select channel_id, client_id, clock, (
      select min(u.clock) from document_updates u where u.channel_id = d.channel_id and u.epoch = d.epoch) as first
    from documents d`
  const logs = new Map(rows.map(row => [row.channel_id, row]))
  return (await viewers.call('clocks', null)).map(({ channel_id, clocks }) => {
    const log = logs.get(channel_id)
    const shown = clocks[String(log?.client_id)] ?? 0
    return log !== undefined && shown < log.clock && (log.first === null || shown < log.first)
  })
}
