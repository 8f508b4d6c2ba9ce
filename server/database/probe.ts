// Whether the database answers, and soon: one that lets every query wait is as good as none.
import type { Sql } from './connect.ts'

const PROBE_MS = 3_000

/** However often it is asked, the database is asked once at a time. */
export function probe(sql: Sql): () => Promise<boolean> {
  let asked: Promise<boolean> | null = null
  return async () => {
    asked ??= sql`select 1`
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = null
      })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(resolve, PROBE_MS, false)
    })
    return Promise.race([asked, late]).finally(() => clearTimeout(timer))
  }
}
