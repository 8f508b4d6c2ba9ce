// Limits the work for snapshots: the event loop encodes one after the other, and a worker thread encodes the large ones,
// at most one per second and channel. The worker and its memory exist only while there is work.
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { ConnectTarget } from '../../database/connect.ts'

const PAUSE_MS = 1000
const IDLE_SECONDS = 5

type WorkerReport = { channel_id: string; seq: number; bytes: number; error?: string }

export class Snapshots {
  readonly #target: ConnectTarget
  readonly #log: Logger
  readonly #requested = new Map<string, (snapshot: { seq: number; bytes: number }) => void>()
  #worker: Worker | null = null
  #stopped = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(target: ConnectTarget, log: Logger) {
    this.#target = target
    this.#log = log
  }

  /** Runs `work` after all earlier work, so that many snapshots don't hold up the event loop and the database. */
  enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(() => (this.#stopped ? undefined : work()))
    this.#last = done.catch(() => {})
    return done
  }

  /** Does nothing if the channel already waits for a snapshot. If the worker fails, the next turn makes a new request. */
  request(channel_id: string, done: (snapshot: { seq: number; bytes: number }) => void): void {
    if (this.#stopped || this.#requested.has(channel_id)) return
    this.#requested.set(channel_id, done)
    this.#worker ??= this.#start()
    this.#worker.postMessage(channel_id)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    const worker = this.#worker
    if (!worker) return
    const exited = new Promise(resolve => worker.once('exit', resolve))
    worker.postMessage(null)
    await exited
  }

  #start(): Worker {
    const worker = new Worker(new URL('./snapshot-worker.js', import.meta.url), {
      workerData: { target: this.#target, idle_seconds: IDLE_SECONDS },
    })
    worker.on('message', (report: WorkerReport) => this.#finish(report))
    worker.on('error', error => this.#log.error({ err: error }, 'the snapshot worker failed'))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null
      this.#requested.clear()
    })
    worker.unref()
    return worker
  }

  #finish(report: WorkerReport): void {
    const { channel_id, error } = report
    if (error) this.#log.warn({ channel_id, error }, 'could not write a snapshot')
    else this.#requested.get(channel_id)?.(report)
    setTimeout(() => this.#requested.delete(channel_id), PAUSE_MS).unref()
  }
}
