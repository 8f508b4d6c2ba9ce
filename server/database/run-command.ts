// Runs a command of the operator and prints its line. A failure prints one line to standard error and exits with 1.
import { ConfigError } from '../config.ts'
import { DatabaseError } from './database-error.ts'

/** What a command can't do, as one line for the operator. */
export class CommandError extends Error {
  override name = 'CommandError'
}

export async function runCommand(command: () => Promise<string>): Promise<void> {
  try {
    console.log(await command())
  } catch (error) {
    const system = error instanceof Error && 'syscall' in error // a full disk, a folder we may not write
    const expected = [CommandError, DatabaseError, ConfigError].some(Kind => error instanceof Kind)
    if (!(error instanceof Error && (expected || system))) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
