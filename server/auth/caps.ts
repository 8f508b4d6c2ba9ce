// Limits how many connections may be open at once for one key: an address, a channel, an API key. Counted per instance.
import type { ApiError } from '../errors.ts'

export type Cap = ReturnType<typeof createCap>

/** `max`: null lifts the cap. `error`: what a connection beyond it gets. */
export function createCap(max: number | null, error: () => ApiError) {
  const open = new Map<string, number>()

  const free = (key: string) => {
    const left = (open.get(key) ?? 0) - 1
    if (left > 0) open.set(key, left)
    else open.delete(key)
  }

  return {
    /** Counts a connection, or throws. Call the returned function, or `free`, once when the connection closes. */
    take(key: string): () => void {
      const taken = open.get(key) ?? 0
      if (max !== null && taken >= max) throw error()
      open.set(key, taken + 1)
      return () => free(key)
    },
    free,
  }
}
