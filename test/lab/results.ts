// Where the lab keeps its results, from which the report is written.
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Outcome, RESULTS } from '../proof/outcome.ts'

export const MATRIX = join(RESULTS, 'matrix.jsonl')
/** Of the runs with faults that random plans don't have. */
export const FAULTS = join(RESULTS, 'faults.jsonl')
/** The folder of a soak. */
export const SOAK = join(RESULTS, 'soak')
/** In a line of these files. */
const FINDINGS_MAX = 10

/** Appends a line to MATRIX or FAULTS. */
export async function keepOutcome(file: string, outcome: Outcome): Promise<void> {
  await mkdir(RESULTS, { recursive: true })
  const findings = outcome.findings.slice(0, FINDINGS_MAX)
  await appendFile(file, `${JSON.stringify({ ...outcome, findings })}\n`)
}
