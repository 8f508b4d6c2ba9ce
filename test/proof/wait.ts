// Every wait of a run is for a state, with a deadline.
import { setTimeout as delay } from 'node:timers/promises'

const CHECK_EVERY_MS = 5

/** Resolves with false at the deadline. */
export async function holdsWithin(
  limit_ms: number,
  check: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const deadline = performance.now() + limit_ms
  while (!(await check())) {
    if (performance.now() > deadline) return false
    await delay(CHECK_EVERY_MS)
  }
  return true
}

export async function until(
  check: () => boolean | Promise<boolean>,
  what: string,
  limit_ms = 15_000,
): Promise<void> {
  if (!(await holdsWithin(limit_ms, check))) throw new Error(`not within ${limit_ms} ms: ${what}`)
}

/** Rejects at the deadline. The work goes on, until its processes are ended. */
export async function within<T>(limit_ms: number, work: Promise<T>, what: string): Promise<T> {
  const over = new AbortController()
  const late = delay(limit_ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`not within ${limit_ms} ms: ${what}`)
  })
  // Aborted when the work wins.
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => over.abort())
}
