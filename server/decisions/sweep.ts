// Closes the questions that a query finds, for all channels. Every instance sweeps: whoever appends first closes a question,
// and the others find it closed.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ApiError } from '../errors.ts'
import type { QuestionRef } from './end-question.ts'

type Deps = {
  log: Logger
  /** At most `limit` questions, without those apart. */
  read: (apart: string[], limit: number) => Promise<QuestionRef[]>
  /** Returns false if it didn't close the question. */
  close: (question: QuestionRef) => Promise<boolean>
}

/** Those of one channel share a turn, which writes the interactions one by one. */
export const SWEPT_AT_ONCE = 64
/** After that, the next questions don't wait any longer for those before them. */
const SLOW_MS = 250
/** When a question that could not be closed is tried again. */
const RETRY_MS = 10_000

export class QuestionSweep {
  readonly #deps: Deps
  /** Questions that a sweep leaves out: they are being closed, or could not be closed a moment ago. */
  readonly #apart = new Set<string>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async run(): Promise<void> {
    for (;;) {
      const found = await this.#deps.read([...this.#apart], SWEPT_AT_ONCE)
      if (found.length === 0) return
      const closed = Promise.all(found.map(question => this.#closeApart(question)))
      await Promise.race([closed, delay(SLOW_MS)])
    }
  }

  async tryClose(question: QuestionRef): Promise<boolean> {
    return this.#deps.close(question).catch(error => {
      // The channel was deleted meanwhile.
      if (!(error instanceof ApiError && error.status === 404))
        this.#deps.log.warn({ err: error, ...question }, 'could not close a question')
      return false
    })
  }

  async #closeApart(question: QuestionRef): Promise<void> {
    const { decision_id } = question
    this.#apart.add(decision_id)
    // A question that another instance has closed isn't read again, so its rest costs nothing.
    if (await this.tryClose(question)) this.#apart.delete(decision_id)
    else setTimeout(() => this.#apart.delete(decision_id), RETRY_MS).unref()
  }
}
