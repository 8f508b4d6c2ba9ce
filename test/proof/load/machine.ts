// How late the machine lets a process run that has something to do. What is late for another reason is the service's fault.
import { type JsonLines, now } from '../records.ts'

/** A line of machine.jsonl: a timer's delay, in microseconds. */
export type Delay = { at: number; late: number }

const EVERY_MS = 20

/** Returns the function that ends it. In a process that does little else. */
export function watchMachine(lines: JsonLines<Delay>): () => Promise<void> {
  let due = now() + EVERY_MS * 1_000
  const timer = setInterval(() => {
    const at = now()
    lines.write({ at, late: Math.max(0, at - due) })
    due = at + EVERY_MS * 1_000
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    return lines.end()
  }
}
