// Hands out the faults of a plan, each to the statement or notice that it names.
import type { Fault, NoticeFault, StatementFault } from './plan.ts'

export class Faults {
  readonly #left: Fault[]
  readonly #counts = { commit: 0, read: 0, notice: 0 }

  constructor(faults: Fault[]) {
    this.#left = [...faults]
  }

  /** For the next statement, which may have none. */
  statement(of: 'commit' | 'read'): StatementFault | null {
    const nth = this.#counts[of]++
    for (const fault of this.#left) if (fault.of === of && fault.nth === nth) return fault.kind
    return null
  }

  notice(): NoticeFault | null {
    const nth = this.#counts.notice++
    for (const fault of this.#left) if (fault.of === 'notice' && fault.nth === nth) return fault.kind
    return null
  }

  heal(): void {
    this.#left.length = 0
  }
}
