// Lets a bounded number of works run at a time, and a bounded number wait, in order; beyond that it refuses.
import { unavailable } from '../errors.ts'

/** `pass(work)` answers what `work` answers, or throws 503 while too many are waiting. */
export function createTurnstile({ at_once, waiting_max }: { at_once: number; waiting_max: number }) {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < at_once) {
      running++
      return
    }
    if (waiting.length >= waiting_max) throw unavailable()
    await new Promise<void>(resolve => waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    // The place goes to the next one in line, so nobody who comes now can slip in before.
    if (next) next()
    else running--
  }

  return async function pass<T>(work: () => Promise<T>): Promise<T> {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
