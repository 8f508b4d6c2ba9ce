// Limits how many jobs run at once and how many wait. Urgent jobs go first and keep one slot for themselves. Within each
// kind, every address has its own queue, and the queues are served in turn.
import { unavailable } from '../errors.ts'

type Limits = {
  at_once: number
  /** Jobs of each kind that may wait; beyond that the response is 503. */
  waiting_max: number
  /** The same for one queue. */
  line_max: number
}
/** `from`: the key of the job's queue, such as a network address. */
export type Turn = { kind: 'urgent' | 'other'; from: string }

export type Turnstile = ReturnType<typeof createTurnstile>

/** Returns a function that runs a job in its turn, or throws 503 if too many wait. */
export function createTurnstile({ at_once, ...limits }: Limits) {
  const waiting = { urgent: createFairLines(limits), other: createFairLines(limits) }
  const running = { urgent: 0, other: 0 }

  function hasSlot(kind: Turn['kind']): boolean {
    if (running.urgent + running.other >= at_once) return false
    return kind === 'urgent' || running.other < at_once - 1
  }

  async function enter({ kind, from }: Turn): Promise<void> {
    if (hasSlot(kind)) running[kind]++
    // A finished job hands its slot over, so a newcomer can't take it first.
    else await new Promise<void>(resolve => waiting[kind].join(from, resolve))
  }

  function leave({ kind }: Turn): void {
    running[kind]--
    for (const next of ['urgent', 'other'] as const) {
      const start = hasSlot(next) ? waiting[next].next() : undefined
      if (!start) continue
      running[next]++
      return start()
    }
  }

  return async function pass<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await enter(turn)
    try {
      return await work()
    } finally {
      leave(turn)
    }
  }
}

type Start = () => void

function createFairLines({ waiting_max, line_max }: Omit<Limits, 'at_once'>) {
  /** The next queue to serve comes first. */
  const lines = new Map<string, Start[]>()
  let count = 0

  return {
    join(from: string, start: Start): void {
      const line = lines.get(from) ?? []
      if (count >= waiting_max || line.length >= line_max) throw unavailable()
      line.push(start)
      lines.set(from, line)
      count++
    },

    next(): Start | undefined {
      for (const [from, line] of lines) {
        const start = line.shift()
        lines.delete(from)
        if (line.length > 0) lines.set(from, line)
        count--
        return start
      }
      return undefined
    },
  }
}
