// Another database session that holds locks until it ends.
import { connect, type Sql } from '../../server/database/connect.ts'
import type { TestDatabase } from './database.ts'

/** As `lock_ms`: on a busy machine, a request that waits for a test's lock still succeeds. */
export const PATIENT_LOCK_MS = 8_000

/** Runs `lock` in a transaction of its own session, which the returned function ends. */
export async function holdLocks(
  { target }: TestDatabase,
  lock: (sql: Sql) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const sql = connect(target, { max: 1 })
  await sql`set idle_in_transaction_session_timeout = 0`
  await sql`begin`
  await lock(sql)
  // Ending the session rolls back.
  return () => sql.end({ timeout: 0 })
}

/** How many sessions of this database wait for a lock. */
export async function countLockWaits(sql: Sql): Promise<number> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return waiting.length
}
