// An Idempotency-Key for each request of a form, so that sending it again after a lost response has no second effect.
import { newUuid } from '../../shared/characters.ts'

export function makeIdempotencyKeys() {
  let unanswered: { request: string; key: string } | null = null

  return {
    /** The key stays the same for the same `request` until it is answered. */
    keyFor(request: string): string {
      if (unanswered?.request !== request) unanswered = { request, key: newUuid() }
      return unanswered.key
    },
    answered(): void {
      unanswered = null
    },
  }
}
