// The first connection to the database. Any error is one line about DATABASE_URL.
import { type ConnectOptions, type ConnectTarget, connect, type Sql } from './connect.ts'
import { DatabaseError } from './database-error.ts'

/** Returns a pool whose database accepts writes. */
export async function connectFirst(target: ConnectTarget, options: ConnectOptions = {}): Promise<Sql> {
  const sql = 'url' in target ? await reach(target, options) : connect(target, options)
  const [row] = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`
  if (!row?.standby) return sql
  await sql.end({ timeout: 0 })
  throw new DatabaseError(
    'DATABASE_URL names a standby, which takes no writes: name the primary, or promote it',
  )
}

async function reach(target: ConnectTarget, options: ConnectOptions): Promise<Sql> {
  let sql: Sql | null = null
  try {
    sql = connect(target, options)
    await sql`select 1`
    return sql
  } catch (cause) {
    await sql?.end({ timeout: 0 })
    throw new DatabaseError(`DATABASE_URL names a database that cannot be used (${reasonOf(cause)})`, {
      cause,
    })
  }
}

/** Never contains the URL, which has the password. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  // For a name with several addresses, the driver's error has an empty message.
  return error.message || ('code' in error ? String(error.code) : error.name)
}
