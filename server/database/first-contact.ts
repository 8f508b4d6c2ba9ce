// The first connection to the database. Any error is one line about DATABASE_URL.
import { type ConnectOptions, type ConnectTarget, connect, type Sql } from './connect.ts'
import { DatabaseError, messageOf } from './database-error.ts'
import { codeOf } from './unavailable.ts'

/** Returns a pool whose database accepts writes. */
export async function connectFirst(target: ConnectTarget, options: ConnectOptions = {}): Promise<Sql> {
  let sql: Sql | null = null
  try {
    sql = connect(target, options)
    const [row] = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`
    if (!row?.standby) return sql
  } catch (cause) {
    await sql?.end({ timeout: 0 })
    if (!('url' in target)) throw cause
    // Without the URL, which has the password. For a name with several addresses, the message is empty.
    const reason = messageOf(cause) || codeOf(cause)
    throw new DatabaseError(`DATABASE_URL names a database that cannot be used (${reason})`, { cause })
  }
  await sql.end({ timeout: 0 })
  throw new DatabaseError(
    'DATABASE_URL names a standby, which takes no writes: name the primary, or promote it',
  )
}
