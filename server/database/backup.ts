// The commands `backup FILE` and `restore FILE [--force]` for the embedded database in DATA_DIR.
// Prints one line. A failure prints one line to standard error and exits with 1.
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { createBackup } from './backup-create.ts'
import { restoreBackup } from './backup-restore.ts'
import { DatabaseError } from './database-error.ts'
import { runCommand } from './run-command.ts'

async function run(): Promise<string> {
  const { command, file, force } = readArguments()
  const { data_dir, database_url } = loadConfig(process.env)
  if (database_url !== null)
    throw new DatabaseError(
      'DATABASE_URL is set: back that server up with its own tools (pg_dump). These commands are for the embedded database',
    )
  if (command === 'backup') {
    await createBackup({ data_dir, file, log: pino({ level: 'silent' }) })
    return `Backed up ${data_dir} to ${file}`
  }
  const aside = await restoreBackup({ data_dir, file, force })
  return `Restored ${file} into ${data_dir}${aside ? `; the old files are in ${aside}` : ''}`
}

function readArguments(): { command: 'backup' | 'restore'; file: string; force: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { force: { type: 'boolean', default: false } },
    })
    const [command, file, ...rest] = positionals
    const known = command === 'restore' || (command === 'backup' && !values.force)
    if (known && file && rest.length === 0) return { command, file, force: values.force }
  } catch {
    // An unknown option: show the usage.
  }
  throw new DatabaseError('Usage: npm run backup -- FILE, npm run restore -- [--force] FILE')
}

await runCommand(run)
