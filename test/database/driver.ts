// The driver without the service's workarounds.
import postgres from 'postgres'
import { afterTest } from '../support/after-test.ts'
import type { TestDatabase } from '../support/database.ts'
import { times } from '../support/times.ts'

/** How many statements the driver sends to a connection before the first has been answered. */
export const PIPELINE = 100

export function openDriver({ target }: TestDatabase, options: postgres.Options<Record<string, never>> = {}) {
  const { socket_dir, database } = target
  const own = { host: socket_dir, port: 5432, user: 'app', database, fetch_types: false, onnotice: () => {} }
  const sql = postgres({ ...own, ...options })
  afterTest(() => sql.end({ timeout: 0 }))
  return sql
}

type Queries = (strings: TemplateStringsArray) => PromiseLike<unknown> & { execute(): unknown }

/** Opens `max` connections and gives each a statement that waits and as many behind it as the driver sends. */
export async function fillPipelines(sql: Queries, max: number): Promise<void> {
  await times(max, () => sql`select pg_sleep(0.1)`)
  await times(max, () => void sql`select pg_sleep(0.3)`.execute())
  await times(max * (PIPELINE - 1), () => void sql`select 1`.execute())
}
