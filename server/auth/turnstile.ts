// Limits how many jobs run at once and how many wait. Urgent jobs go first and keep one slot for themselves. Within each
// kind, every address has its own queue, and the queues are served in turn.
import { unavailable } from '../errors.ts'

/** How many jobs of each kind may wait: in all queues, and in one. */
type Limits = { waiting_max: number; queue_max: number }
/** `from`: the key of the job's queue, such as a network address. */
export type Turn = { kind: 'urgent' | 'other'; from: string }

/** Returns a function that runs a job in its turn, or throws 503 if too many wait. */
export function createTurnstile({ at_once, ...limits }: Limits & { at_once: number }) {
  const waiting = { urgent: createFairQueues(limits), other: createFairQueues(limits) }
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

function createFairQueues({ waiting_max, queue_max }: Limits) {
  /** The next queue to serve comes first. */
  const queues = new Map<string, (() => void)[]>()
  let count = 0

  return {
    join(from: string, start: () => void): void {
      const queue = queues.get(from) ?? []
      if (count >= waiting_max || queue.length >= queue_max) throw unavailable()
      queue.push(start)
      queues.set(from, queue)
      count++
    },

    next(): (() => void) | undefined {
      const [from, queue] = queues.entries().next().value ?? []
      if (from === undefined || !queue) return undefined
      queues.delete(from)
      if (queue.length > 1) queues.set(from, queue)
      count--
      return queue.shift()
    },
  }
}
