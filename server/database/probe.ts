// Checks that the database answers within three seconds.
import type { Sql } from './connect.ts'

const PROBE_MS = 3_000

/** Concurrent checks share one query. */
export function probe(sql: Sql): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  return async () => {
    running ??= sql`select 1`
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = null
      })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(resolve, PROBE_MS, false)
    })
    return Promise.race([running, late]).finally(() => clearTimeout(timer))
  }
}
