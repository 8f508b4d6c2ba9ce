// Lets a command of the operator use the database. It works beside a running service, and starts an embedded database that is
// stopped.
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { type ConnectTarget, connect, type Sql } from './connect.ts'
import { connectFirst } from './first-contact.ts'
import { openEmbedded } from './open-embedded.ts'
import { findPooler } from './pooler.ts'
import { CommandError } from './run-command.ts'

/** `table`: one that this release has added. Without it, the database is older. */
export async function withDatabase<T>(
  config: Config,
  table: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const { database_url, data_dir, postgres_package } = config
  if (database_url !== null) {
    const target = { url: database_url }
    await (await connectFirst(target)).end({ timeout: 0 })
    return await withPool(await findPooler(target), table, work)
  }
  const log = pino({ level: 'silent' })
  const server = await openEmbedded({ data_dir, log, package: postgres_package ?? undefined })
  return await withPool({ socket_dir: server.socket_dir }, table, work).finally(server.stop)
}

async function withPool<T>(target: ConnectTarget, table: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(target, { max: 1 })
  try {
    const [{ ready } = { ready: false }] = await sql<{ ready: boolean }[]>`
      select to_regclass(${table}) is not null as ready`
    if (!ready) throw new CommandError('The database is of an older release: start this one once before')
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
