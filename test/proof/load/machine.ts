// How slow the machine is for a process that has something to do, because others want its processors too.
import { type JsonLines, now } from '../records.ts'

/** A line of machine.jsonl. `slow`: how many times longer than its work took a piece of work. */
export type Slowness = { at: number; slow: number }

const EVERY_MS = 200
const WORK_US = 4_000

/** Returns the function that ends it. In a process that does little else. */
export function watchMachine(lines: JsonLines<Slowness>): () => Promise<void> {
  const timer = setInterval(() => {
    const [at, before] = [now(), workedUs()]
    while (workedUs() - before < WORK_US);
    lines.write({ at, slow: (now() - at) / (workedUs() - before) })
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    return lines.end()
  }
}

/** The time for which this process had a processor. */
function workedUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
