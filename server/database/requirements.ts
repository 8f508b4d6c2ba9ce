// Checks at the start what the service relies on in a database, so that a wrong setting doesn't become a 500 later.
import type { Sql } from './connect.ts'
import { DatabaseError } from './database-error.ts'

type Settings = {
  standby: boolean
  read_only: string
  encoding: string
  bytea: string
  strings: string
  isolation: string
  commits: string
}

/** Throws an error whose line says what to change. */
export async function requireSettings(sql: Sql): Promise<void> {
  const [settings] = await sql<Settings[]>`
    select pg_is_in_recovery() as standby,
      current_setting('transaction_read_only') as read_only,
      current_setting('server_encoding') as encoding,
      current_setting('bytea_output') as bytea,
      current_setting('standard_conforming_strings') as strings,
      current_setting('default_transaction_isolation') as isolation,
      current_setting('synchronous_commit') as commits`
  const fault = settings && faultOf(settings)
  if (fault) throw new DatabaseError(`DATABASE_URL names ${fault}`)
}

function faultOf({
  standby,
  read_only,
  encoding,
  bytea,
  strings,
  isolation,
  commits,
}: Settings): string | null {
  if (standby) return 'a standby, which takes no writes: name the primary, or promote it'
  if (read_only === 'on')
    return 'a database that takes no writes: set default_transaction_read_only to off for its role or database'
  if (encoding !== 'UTF8')
    return `a database with the encoding ${encoding}: create one with "create database … encoding 'UTF8' template template0"`
  // The driver reads bytes in this form only.
  if (bytea !== 'hex') return setting('bytea_output', bytea, 'hex')
  if (strings !== 'on') return setting('standard_conforming_strings', strings, 'on')
  // Under a stricter level, writes that meet would fail instead of waiting for each other.
  if (isolation !== 'read committed')
    return setting('default_transaction_isolation', isolation, "'read committed'")
  // Acknowledged cards would be lost with the server's memory.
  if (commits === 'off') return setting('synchronous_commit', commits, 'on')
  return null
}

function setting(name: string, value: string, needed: string): string {
  return `a database where ${name} is ${value}: run "alter role … set ${name} = ${needed}" (or the same for the database)`
}
