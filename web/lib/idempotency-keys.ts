// An Idempotency-Key for each request of a form, so that sending it twice after a lost response has one effect.
import { newUuid } from '../../shared/characters.ts'

export function makeIdempotencyKeys() {
  let pending: { request: string; key: string } | null = null

  return {
    keyFor(request: string): string {
      if (pending?.request !== request) pending = { request, key: newUuid() }
      return pending.key
    },
    responded(): void {
      pending = null
    },
  }
}
