// The command `signing-key`: `--new` replaces the key that decisions are signed with, `--revoke KID` ends one that was stolen.
import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Config, loadConfig } from './config.ts'
import { CommandError, runCommand } from './database/run-command.ts'
import { withDatabase } from './database/with-database.ts'
import { revokeKey } from './decisions/signing-keys.ts'
import { newPrivateJwk } from './key-pair.ts'
import { replaceSigningKey } from './secrets.ts'

async function run(): Promise<string> {
  const kid = readArguments()
  const config = loadConfig(process.env)
  return kid === null ? await replaceKey(config) : await revoke(config, kid)
}

/** Null: make a new key. */
function readArguments(): string | null {
  try {
    const { values, positionals } = parseArgs({
      // The first is the name of this command.
      allowPositionals: true,
      options: { new: { type: 'boolean', default: false }, revoke: { type: 'string' } },
    })
    const { revoke } = values
    if (positionals.length === 1 && values.new !== (revoke !== undefined)) return revoke ?? null
  } catch {
    // An unknown option: show the usage.
  }
  throw new CommandError('Usage: npm run signing-key -- --new, npm run signing-key -- --revoke KID')
}

async function replaceKey({ data_dir, signing_key }: Config): Promise<string> {
  if (signing_key !== null)
    return `SIGNING_KEY is set. Set it to this on every instance, and restart them:\n${JSON.stringify(newPrivateJwk())}`
  await mkdir(data_dir, { recursive: true })
  const { kid } = await replaceSigningKey(data_dir)
  return `The new key is ${kid}. Restart the service to sign with it`
}

async function revoke(config: Config, kid: string): Promise<string> {
  const known = await withDatabase(config, 'signing_keys', sql => revokeKey(sql, kid))
  if (!known) throw new CommandError(`No key ${kid} has been in use`)
  return `Revoked ${kid}: its signatures count no longer. If the service still signs with it, make a new key and restart`
}

await runCommand(run)
