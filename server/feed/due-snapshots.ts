// When a channel's log has grown so far that a snapshot is due, and who encodes it.
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import type { History } from './history.ts'
import type { LiveDocument } from './live-document.ts'
import { type DocumentHead, writeSnapshot } from './log.ts'
import type { Snapshots } from './snapshots.ts'

export type DueSnapshotDeps = { sql: Sql; history: History; snapshots: Snapshots; log: Logger }

const UPDATES = 64
const BYTES_MIN = 32 * 1024
const PAUSE_MS = 1_000
const HERE_MAX_BYTES = 2 * 1024 * 1024

/** The log after the last snapshot, in updates and bytes, and how large that snapshot was. */
type Tail = { updates: number; bytes: number; snapshot_bytes: number }

export class DueSnapshots {
  readonly #channel_id: string
  readonly #deps: DueSnapshotDeps
  #tail: Tail = { updates: 0, bytes: 0, snapshot_bytes: 0 }
  #next = 0

  constructor(channel_id: string, deps: DueSnapshotDeps) {
    this.#channel_id = channel_id
    this.#deps = deps
  }

  /** The document was read from the database. */
  read(tail: Tail): void {
    this.#tail = tail
  }

  grew(bytes: number): void {
    this.#tail.updates++
    this.#tail.bytes += bytes
  }

  /** About how long the document would be, encoded: the last snapshot and what came since. */
  get document_bytes(): number {
    return this.#tail.snapshot_bytes + this.#tail.bytes
  }

  get due(): boolean {
    const limit = Math.max(this.#tail.snapshot_bytes, BYTES_MIN)
    return this.#pauseIsOver && (this.#tail.updates >= UPDATES || this.#tail.bytes > limit)
  }

  /** Before the document leaves memory, a snapshot is worth it sooner. */
  get worthwhile(): boolean {
    return this.#pauseIsOver && this.#tail.updates > UPDATES / 4
  }

  /** A document of the usual size is encoded between two turns, in a millisecond or two; a large one elsewhere. */
  get fitsHere(): boolean {
    return this.#tail.snapshot_bytes <= HERE_MAX_BYTES
  }

  /** Encodes `live`, which stands at `head`. The writing goes on after the return. */
  takeHere(live: LiveDocument, head: DocumentHead): void {
    const { sql, history, log } = this.#deps
    this.#next = performance.now() + PAUSE_MS
    const state = live.encode()
    this.#tail = { updates: 0, bytes: 0, snapshot_bytes: state.length }
    writeSnapshot(sql, this.#channel_id, head, state, history.settled).catch(error => {
      log.warn({ err: error, channel_id: this.#channel_id }, 'no snapshot')
    })
  }

  /** Asks the worker. `seq` says where the log ends when it answers. */
  takeElsewhere(seq: () => number | undefined): void {
    this.#next = performance.now() + PAUSE_MS
    this.#deps.snapshots.ask(this.#channel_id, taken => {
      const updates = Math.max(0, (seq() ?? taken.seq) - taken.seq)
      this.#tail = { updates, bytes: 0, snapshot_bytes: taken.bytes }
    })
  }

  get #pauseIsOver(): boolean {
    return performance.now() >= this.#next
  }
}
