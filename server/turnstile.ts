// Limits how many jobs run at once and how many wait. Urgent jobs go first and keep one slot for themselves. Within each
// kind, everybody has a queue of their own, and the queues are served in turn.
import { unavailable } from './errors.ts'

/** How many jobs of each kind may wait: in all queues, and in one. */
type Limits = { waiting_max: number; queue_max: number }
/** `from`: whose job it is, such as a network address. */
export type Ticket = { kind: 'urgent' | 'other'; from: string }

/**
 * Returns a function that runs a job in its turn, or throws 503 if too many wait. `each_at_once`: how many jobs of one `from`
 * run at once.
 */
export function createTurnstile({
  at_once,
  each_at_once = at_once,
  ...limits
}: Limits & { at_once: number; each_at_once?: number }) {
  const waiting = { urgent: createFairQueues(limits), other: createFairQueues(limits) }
  const running = { urgent: 0, other: 0 }
  const running_of = new Map<string, number>()

  function hasSlot(kind: Ticket['kind']): boolean {
    if (running.urgent + running.other >= at_once) return false
    return kind === 'urgent' || running.other < at_once - 1
  }

  const mayRun = (from: string) => (running_of.get(from) ?? 0) < each_at_once

  function count({ kind, from }: Ticket, change: 1 | -1): void {
    running[kind] += change
    const left = (running_of.get(from) ?? 0) + change
    if (left === 0) running_of.delete(from)
    else running_of.set(from, left)
  }

  async function enter(turn: Ticket): Promise<void> {
    if (hasSlot(turn.kind) && mayRun(turn.from)) count(turn, 1)
    // A finished job hands its slot over, so a newcomer can't take it first.
    else await new Promise<void>(resolve => waiting[turn.kind].join(turn.from, resolve))
  }

  function leave(turn: Ticket): void {
    count(turn, -1)
    for (const kind of ['urgent', 'other'] as const) {
      const next = hasSlot(kind) ? waiting[kind].next(mayRun) : undefined
      if (!next) continue
      count({ kind, from: next.from }, 1)
      return next.start()
    }
  }

  return async function pass<T>(turn: Ticket, work: () => Promise<T>): Promise<T> {
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

    /** Takes a job from the first queue that may run one. */
    next(mayRun: (from: string) => boolean): { from: string; start: () => void } | undefined {
      for (const [from, queue] of queues) {
        const start = mayRun(from) ? queue.shift() : undefined
        if (!start) continue
        queues.delete(from)
        if (queue.length > 0) queues.set(from, queue)
        count--
        return { from, start }
      }
    },
  }
}
