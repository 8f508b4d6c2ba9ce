// Mistakes about who waits for a question.
import type { Mutants } from './mutant.ts'

export const LEASE_MUTANTS: Mutants = {
  'forget-to-renew': {
    checker: 'abandonment',
    promise: 'D9',
    changes: [
      {
        in: 'DecisionLooks.#takeDue',
        replace: 'const is_short = until - (now - ago) < short - every / 10',
        by: 'const is_short = until === Number.NEGATIVE_INFINITY',
      },
    ],
  },
  'abandon-too-early': {
    checker: 'abandonment',
    promise: 'D9',
    changes: [
      {
        in: 'writeLooks',
        replace: 'const { lease, short, look } = LOOK_TIMES',
        by: 'const { lease, short, look } = { ...LOOK_TIMES, lease: LOOK_TIMES.every }',
      },
    ],
  },
}
