// Applies each file of migrations/ once, in order, in a transaction. Several instances may do this at the same time.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectPath } from '../project.ts'
import type { Sql, Transaction } from './connect.ts'
import { DatabaseError, messageOf } from './database-error.ts'

const lock = 0x63666d67 // an arbitrary number
const oldestVersion = 140000

export async function migrate(sql: Sql, folder = projectPath('migrations')): Promise<void> {
  const [server] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::integer as number, current_setting('server_version') as version`
  if (server) requireVersion(server.number, server.version)
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const applied = await sql.begin(async tx => {
    await takeTurn(tx)
    await tx`create table if not exists migrations (
      name text primary key, applied_at timestamptz(3) not null default now())`
    return new Set((await tx<{ name: string }[]>`select name from migrations`).map(row => row.name))
  })
  for (const name of names)
    if (!applied.has(name)) await apply(sql, name, await readFile(join(folder, name), 'utf8'))
}

async function apply(sql: Sql, name: string, text: string): Promise<void> {
  await sql.begin(async tx => {
    await takeTurn(tx)
    const done = await tx`select from migrations where name = ${name}`
    if (done.length > 0) return
    try {
      await tx.unsafe(text)
    } catch (cause) {
      throw new DatabaseError(`Migration ${name} failed: ${messageOf(cause)}`, { cause })
    }
    await tx`insert into migrations (name) values (${name})`
  })
}

async function takeTurn(tx: Transaction): Promise<void> {
  await tx`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`
  await tx`select pg_advisory_xact_lock(${lock})`
}

export function requireVersion(number: number, version: string): void {
  if (number >= oldestVersion) return
  throw new DatabaseError(
    `PostgreSQL 14 or newer is needed, and DATABASE_URL names one of version ${version}`,
  )
}
