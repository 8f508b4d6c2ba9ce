// The first connection to the database, and the line about DATABASE_URL that a failing start prints.
import { setTimeout as delay } from 'node:timers/promises'
import { type ConnectTarget, connect, type Sql } from './connect.ts'
import { DatabaseError, messageOf } from './database-error.ts'
import { requireSettings } from './requirements.ts'
import { codeOf } from './unavailable.ts'

/** For a list of hosts of which none can be used: the driver would try them for ever. */
const FIRST_CONTACT_MS = 60_000

/** Returns a pool whose database can be used. */
export async function connectFirst(target: ConnectTarget): Promise<Sql> {
  let sql: Sql | null = null
  const late = new AbortController()
  try {
    sql = connect(target, { max: 1 })
    await Promise.race([requireSettings(sql), tooLate(late.signal)])
    return sql
  } catch (error) {
    await sql?.end({ timeout: 0 })
    throw 'url' in target ? startError(error) : error
  } finally {
    late.abort()
  }
}

async function tooLate(signal: AbortSignal): Promise<void> {
  const waited = await delay(FIRST_CONTACT_MS, true, { signal }).catch(() => false)
  if (waited) throw new Error(`no server answered as needed within ${FIRST_CONTACT_MS / 1000} s`)
}

/** SQLSTATE or code of TLS → what helps. */
const REMEDIES: [code: RegExp, message: RegExp, remedy: string][] = [
  [/^28000$/, /no encryption/, 'add ?sslmode=require'],
  [/CERT|UNABLE_TO|ERR_TLS/, /./, 'name the file of its authority with sslrootcert'],
  [/^42501$/, /schema/, 'its role needs "grant create on schema … to …" (docs/operations.md has the SQL)'],
  [/^42501$/, /./, 'its role lacks a right (docs/operations.md has the SQL)'],
  [/^3F000$/, /./, 'create the schema that its search_path names'],
  [/^53300$/, /./, "raise the role's, the database's or the server's limit of connections"],
]

/** An error of the start as one line about DATABASE_URL, without the URL, which has the password. */
export function startError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const code = codeOf(error)
  // For a name with several addresses, the message is empty.
  const reason = (messageOf(error) || code).split('\n')[0] ?? ''
  const [, , remedy] = REMEDIES.find(([codes, texts]) => codes.test(code) && texts.test(reason)) ?? []
  return new DatabaseError(
    `DATABASE_URL names a database that cannot be used (${reason})${remedy ? `: ${remedy}` : ''}`,
    { cause: error },
  )
}
