// Mistakes in what is signed.
import type { Mutants } from './mutant.ts'

export const SIGNATURE_MUTANTS: Mutants = {
  'digest-the-outcome': {
    checker: 'signed',
    promise: 'D11',
    changes: [
      {
        in: 'digestedBlock',
        replace: 'decision: questionOf(block.decision)',
        by: 'decision: block.decision',
      },
    ],
  },
}
