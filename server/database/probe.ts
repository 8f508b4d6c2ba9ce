// Checks whether a database answers.
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type Sql } from './connect.ts'

const PROBE_MS = 3_000

const answers = (sql: Sql) =>
  sql`select 1`.then(
    () => true,
    () => false,
  )

/** Returns a check that takes at most three seconds. Concurrent checks share one query. */
export function probe(sql: Sql): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  return () => {
    running ??= answers(sql).finally(() => {
      running = null
    })
    return Promise.race([running, delay(PROBE_MS, false, { ref: false })])
  }
}

/** Tries one new connection to an embedded database. */
export async function isDatabaseReachable(socket_dir: string): Promise<boolean> {
  const sql = connect({ socket_dir }, { max: 1 })
  return await answers(sql).finally(() => sql.end({ timeout: 0 }))
}
