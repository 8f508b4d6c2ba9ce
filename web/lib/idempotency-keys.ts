// An Idempotency-Key for each request of a form, so that sending it twice after a lost response has one effect.
import { newUuid } from '../../shared/characters.ts'

export function makeIdempotencyKeys() {
  let unanswered: { request: string; key: string } | null = null

  return {
    keyFor(request: string): string {
      if (unanswered?.request !== request) unanswered = { request, key: newUuid() }
      return unanswered.key
    },
    answered(): void {
      unanswered = null
    },
  }
}
