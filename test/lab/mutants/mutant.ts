import type { CheckerName } from '../../proof/check/check.ts'
import type { FaultKind } from '../../proof/faults.ts'
import type { Change } from './changes.ts'

/** A deliberate mistake, and what must catch it. */
export type Mutant = {
  checker: CheckerName
  /** What the checker must find broken. */
  promise: `P${number}` | `D${number}`
  /** What shows it, if quick plans don't have it: a fault, or `large` channels. */
  needs?: FaultKind | 'large'
  changes: Change[]
}

export type Mutants = Record<string, Mutant>
