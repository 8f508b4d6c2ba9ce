// Asks a worker thread for snapshots, one a channel at a time and no more than one a second for each.
// The worker lives while it has work: its memory goes with it.
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { ConnectTarget } from '../database/connect.ts'
import { KEEP_SECONDS } from './log.ts'

const PAUSE_MS = 1000
/** Without work for so long, the worker ends. */
const IDLE_SECONDS = 5

/** What the worker says when a snapshot is written. */
type Written = { channel_id: string; seq: number; bytes: number; error?: string }

export class Snapshots {
  readonly #target: ConnectTarget
  readonly #log: Logger
  readonly #asked = new Map<string, (written: Written) => void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #worker: Worker | null = null
  #stopped = false

  constructor(target: ConnectTarget, log: Logger) {
    this.#target = target
    this.#log = log
  }

  /**
   * Calls `done` with the new snapshot's seq and size. Does nothing while one is under way for the channel; a
   * worker that ends before it answers is not asked again: the next turn does that.
   */
  ask(channel_id: string, done: (snapshot: { seq: number; bytes: number }) => void): void {
    if (this.#stopped || this.#asked.has(channel_id)) return
    this.#asked.set(channel_id, written => {
      if (!written.error) done(written)
    })
    this.#worker ??= this.#start()
    this.#worker.postMessage(channel_id)
  }

  /** Lets the worker finish the snapshot that it is writing. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    const worker = this.#worker
    if (!worker) return
    const exited = new Promise(resolve => worker.once('exit', resolve))
    worker.postMessage(null)
    await exited
  }

  #start(): Worker {
    const worker = new Worker(new URL('./snapshot-worker.js', import.meta.url), {
      workerData: { target: this.#target, keep_seconds: KEEP_SECONDS, idle_seconds: IDLE_SECONDS },
    })
    worker.on('message', (written: Written) => {
      const { channel_id, error } = written
      if (error) this.#log.warn({ channel_id, error }, 'no snapshot')
      this.#settle(written)
    })
    worker.on('error', error => this.#log.error({ err: error }, 'snapshot worker failed'))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null
      this.#asked.clear()
    })
    worker.unref()
    return worker
  }

  #settle(written: Written): void {
    this.#asked.get(written.channel_id)?.(written)
    const timer = setTimeout(() => {
      this.#asked.delete(written.channel_id)
      this.#timers.delete(timer)
    }, PAUSE_MS)
    timer.unref()
    this.#timers.add(timer)
  }
}
