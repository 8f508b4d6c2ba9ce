// Writes the generated parts of docs/reliability.md. What stands outside the markers stays, and so does a part without results
// on this machine.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../proof/command.ts'
import { type Outcome, sha256 } from '../../proof/outcome.ts'
import { FAULTS, MATRIX, SOAK } from '../results.ts'
import { readSoak } from '../soak/report.ts'
import { makeParts, type Runs, replaceParts } from './report.ts'

const page = join(root, 'docs/reliability.md')

const parts = makeParts({
  matrix: await readRuns(MATRIX).catch(nullIfMissing),
  faults: await readRuns(FAULTS).catch(nullIfMissing),
  soak: await readSoak(SOAK).catch(nullIfMissing),
})
await writeFile(page, replaceParts(await readFile(page, 'utf8'), parts))
console.log(`${page}: ${Object.keys(parts).join(', ')}`)

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

async function readRuns(file: string): Promise<Runs> {
  const raw = await readFile(file, 'utf8')
  const all: Outcome[] = raw
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
  const commit = all.at(-1)?.commit
  return { outcomes: all.filter(outcome => outcome.commit === commit), sha256: sha256(raw) }
}
