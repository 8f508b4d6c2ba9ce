// Decides when a channel's log needs a snapshot, and whether the event loop or the worker encodes it.
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import type { History } from './history.ts'
import type { LiveDocument } from './live-document.ts'
import type { DocumentHead } from './log.ts'
import { pruneLog, writeSnapshot } from './snapshot-store.js'
import type { Snapshots } from './snapshots.ts'

const UPDATES = 64
const BYTES_MIN = 32 * 1024
const PAUSE_MS = 1_000
/** The event loop encodes documents up to this size in a millisecond or two. The worker encodes larger ones. */
const EVENT_LOOP_MAX_BYTES = 2 * 1024 * 1024
/** More entries than are appended between two snapshots. */
const PRUNED_MAX = 2_000

type SnapshotDeps = { sql: Sql; history: History; snapshots: Snapshots; log: Logger }

export class SnapshotSchedule {
  readonly #channel_id: string
  readonly #deps: SnapshotDeps
  /** The log after the last snapshot, in updates and bytes, and the size of that snapshot. */
  #tail = { updates: 0, bytes: 0, snapshot_bytes: 0 }
  #next_at = 0

  constructor(channel_id: string, deps: SnapshotDeps) {
    this.#channel_id = channel_id
    this.#deps = deps
  }

  loaded(tail: { updates: number; bytes: number; snapshot_bytes: number }): void {
    this.#tail = tail
  }

  appended(bytes: number): void {
    this.#tail.updates++
    this.#tail.bytes += bytes
  }

  get document_bytes(): number {
    return this.#tail.snapshot_bytes + this.#tail.bytes
  }

  get due(): boolean {
    const limit = Math.max(this.#tail.snapshot_bytes, BYTES_MIN)
    return this.#pauseIsOver && (this.#tail.updates >= UPDATES || this.#tail.bytes > limit)
  }

  get dueBeforeUnload(): boolean {
    return this.#pauseIsOver && this.#tail.updates > UPDATES / 4
  }

  get fitsEventLoop(): boolean {
    return this.#tail.snapshot_bytes <= EVENT_LOOP_MAX_BYTES
  }

  take(live: LiveDocument, head: DocumentHead): void {
    const { sql, history, log } = this.#deps
    const channel_id = this.#channel_id
    this.#next_at = performance.now() + PAUSE_MS
    const state = live.encode()
    this.#tail = { updates: 0, bytes: 0, snapshot_bytes: state.length }
    writeSnapshot(sql, channel_id, head, state, history.current)
      .then(() => pruneLog(sql, channel_id, head, PRUNED_MAX))
      .catch(error => log.warn({ err: error, channel_id }, 'could not write a snapshot'))
  }

  /** `seq` returns where the log ends when the worker has finished. */
  takeInWorker(seq: () => number | undefined): void {
    this.#next_at = performance.now() + PAUSE_MS
    this.#deps.snapshots.request(this.#channel_id, taken => {
      const updates = Math.max(0, (seq() ?? taken.seq) - taken.seq)
      this.#tail = { updates, bytes: 0, snapshot_bytes: taken.bytes }
    })
  }

  get #pauseIsOver(): boolean {
    return performance.now() >= this.#next_at
  }
}
