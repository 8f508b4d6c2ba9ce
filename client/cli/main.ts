#!/usr/bin/env node
// The command `channel-feed`.
import { endAtInterrupt } from './interruption.ts'
import { endWithReader, Output } from './output.ts'
import { createProgram } from './program.ts'
import { report } from './report.ts'
import type { CommonFlags } from './settings.ts'

endWithReader()
endAtInterrupt()
const program = createProgram()
try {
  await program.parseAsync()
} catch (error) {
  const flags = program.opts<CommonFlags>()
  // Wrong flags may hide the right ones behind them.
  const json = flags.json || process.argv.includes('--json')
  process.exitCode = await report(error, new Output({ ...flags, json }), flags)
}
// Open connections would keep the process alive. What was written must arrive first.
process.stdout.write('', () => process.exit())
