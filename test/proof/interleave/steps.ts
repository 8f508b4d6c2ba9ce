// The order of everything that happens in a run. Whatever could happen now waits at a point, and the scheduler chooses.
import type { Scheduler } from 'fast-check'

/** A run has a few hundred. */
const STEPS_MAX = 5_000

export class Steps {
  /** What happened, in order. */
  readonly trace: string[] = []
  readonly #scheduler: Scheduler
  #busy = 0
  #free = () => {}

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  get count(): number {
    return this.trace.length
  }

  /** Resolves when the scheduler chooses it. */
  async point(label: string): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), label)
    this.trace.push(label)
  }

  /** Real work, which the scheduler can't divide: no other step is taken before it ends. */
  async undivided<T>(work: () => Promise<T>): Promise<T> {
    this.#busy++
    try {
      return await work()
    } finally {
      this.#busy--
      this.#free()
    }
  }

  /** Takes one step, and waits for all that follows from it. Returns false if nothing waits. */
  async next(): Promise<boolean> {
    if (this.#scheduler.count() === 0) return false
    if (this.count > STEPS_MAX) throw new Error(`no rest after ${STEPS_MAX} steps:\n${this.#end()}`)
    await this.#scheduler.waitNext(1)
    await this.settle()
    return true
  }

  async settle(): Promise<void> {
    // All promises settle before the next immediate.
    await immediate()
    while (this.#busy > 0) {
      await new Promise<void>(resolve => {
        this.#free = resolve
      })
      await immediate()
    }
  }

  async untilRest(): Promise<void> {
    while (await this.next());
  }

  #end(): string {
    return this.trace.slice(-50).join('\n')
  }
}

const immediate = () => new Promise<void>(resolve => void setImmediate(resolve))
