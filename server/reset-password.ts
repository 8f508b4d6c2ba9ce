// The command `reset-password EMAIL`: prints a link that sets a new password, for people who have no mail from us. It works
// beside a running service, and starts an embedded database that is stopped.
import { pino } from 'pino'
import { emailAddress } from '../shared/user.ts'
import { type Config, loadConfig } from './config.ts'
import { type ConnectTarget, connect, type Sql } from './database/connect.ts'
import { connectFirst } from './database/first-contact.ts'
import { openEmbedded } from './database/open-embedded.ts'
import { findPooler } from './database/pooler.ts'
import { CommandError, runCommand } from './database/run-command.ts'
import { createPasswordReset } from './model/password-resets.ts'
import { findAccount } from './model/users.ts'

async function run(): Promise<string> {
  const [, email, ...rest] = process.argv.slice(2)
  if (email === undefined || rest.length > 0) throw new CommandError('Usage: npm run reset-password -- EMAIL')
  const config = loadConfig(process.env)
  return await withDatabase(config, sql => createLink(sql, config, email))
}

async function createLink(sql: Sql, config: Config, email: string): Promise<string> {
  const [{ ready } = { ready: false }] = await sql<{ ready: boolean }[]>`
    select to_regclass('password_resets') is not null as ready`
  if (!ready) throw new CommandError('The database is of an older release: start this one once before')
  const { data } = emailAddress.safeParse(email)
  const account = data === undefined ? null : await findAccount(sql, data)
  if (!account) throw new CommandError('No account with this e-mail address')
  if (account.password_hash === null && !config.password_sign_in)
    throw new CommandError('Password sign-in is turned off, and this account has no password')
  const address = config.public_url ?? `http://localhost:${config.port}`
  return `${address}/reset#${await createPasswordReset(sql, account.id)}`
}

async function withDatabase<T>(config: Config, work: (sql: Sql) => Promise<T>): Promise<T> {
  const { database_url, data_dir, postgres_package } = config
  if (database_url !== null) {
    const target = { url: database_url }
    await (await connectFirst(target)).end({ timeout: 0 })
    return await withPool(await findPooler(target), work)
  }
  const log = pino({ level: 'silent' })
  const server = await openEmbedded({ data_dir, log, package: postgres_package ?? undefined })
  return await withPool({ socket_dir: server.socket_dir }, work).finally(server.stop)
}

async function withPool<T>(target: ConnectTarget, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(target, { max: 1 })
  return await work(sql).finally(() => sql.end({ timeout: 5 }))
}

await runCommand(run)
