// Idempotency-Keys for what must not happen twice because an answer was lost on its way.
import { newUuid } from '../../shared/characters.ts'

/** For the requests of one form. */
export function createOnce() {
  let unanswered: { what: string; key: string } | null = null

  return {
    /** The same key for the same request, until it is answered. `what` tells one from another. */
    keyFor(what: string): string {
      if (unanswered?.what !== what) unanswered = { what, key: newUuid() }
      return unanswered.key
    },
    answered(): void {
      unanswered = null
    },
  }
}
