// The first connection to the database. Any error is one line about DATABASE_URL.
import { type ConnectOptions, type ConnectTarget, connect, type Sql } from './connect.ts'
import { DatabaseError, messageOf } from './database-error.ts'
import { codeOf } from './unavailable.ts'

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
    // Without the URL, which has the password. For a name with several addresses, the message is empty.
    const reason = messageOf(cause) || codeOf(cause)
    throw new DatabaseError(`DATABASE_URL names a database that cannot be used (${reason})`, { cause })
  }
}
