// The command `reset-password EMAIL`: prints a link that sets a new password, for people who have no mail from us.
import { emailAddress } from '../shared/user.ts'
import { type Config, loadConfig } from './config.ts'
import type { Sql } from './database/connect.ts'
import { CommandError, runCommand } from './database/run-command.ts'
import { withDatabase } from './database/with-database.ts'
import { createPasswordReset } from './model/password-resets.ts'
import { findAccount } from './model/users.ts'

async function run(): Promise<string> {
  const [, email, ...rest] = process.argv.slice(2)
  if (email === undefined || rest.length > 0) throw new CommandError('Usage: npm run reset-password -- EMAIL')
  const config = loadConfig(process.env)
  return await withDatabase(config, 'password_resets', sql => createLink(sql, config, email))
}

async function createLink(sql: Sql, config: Config, email: string): Promise<string> {
  const { data } = emailAddress.safeParse(email)
  const account = data === undefined ? null : await findAccount(sql, data)
  if (!account) throw new CommandError('No account with this e-mail address')
  if (account.password_hash === null && !config.password_sign_in)
    throw new CommandError('Password sign-in is turned off, and this account has no password')
  const address = config.public_url ?? `http://localhost:${config.port}`
  return `${address}/reset#${await createPasswordReset(sql, account.id)}`
}

await runCommand(run)
