// Sessions that the service forgot in the middle of a transaction: what they acknowledge later may be rolled back.
import type { Bound } from '../nemesis/nemesis.ts'
import { holdsWithin } from '../wait.ts'
import type { Cluster } from './cluster.ts'

/** Work between two statements of a transaction takes milliseconds. */
const IDLE_S = 1
const LIMIT_MS = 5_000

/** In the quiet phase, when nothing else runs. */
export async function findIdleTransactions({ sql }: Pick<Cluster, 'sql'>): Promise<Bound> {
  let queries: string[] = []
  const began = performance.now()
  const ended = await holdsWithin(LIMIT_MS, async () => {
    const rows = await sql<{ query: string }[]>`
      select left(query, 60) as query from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'
        and state_change < now() - ${IDLE_S} * interval '1 second'`
    queries = rows.map(({ query }) => query)
    return queries.length === 0
  })
  return {
    promise: 'P1',
    what: `${queries.length} sessions leave their transactions in the quiet phase, after ${queries.join(' and ')}`,
    took_ms: ended ? Math.round(performance.now() - began) : null,
    limit_ms: LIMIT_MS,
  }
}
