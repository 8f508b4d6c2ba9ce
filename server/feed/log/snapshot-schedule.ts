// Decides when a channel's log needs a snapshot, and whether the event loop or the worker encodes it.
import type { Logger } from 'pino'
import type { Sql } from '../../database/connect.ts'
import type { History } from './history.ts'
import type { LogHead } from './log.ts'
import { pruneLog, writeSnapshot } from './snapshot-store.js'
import type { Snapshots } from './snapshots.ts'

/** A snapshot is due after about this many log entries, since a load reads all entries after the snapshot. */
const UPDATES = 512
/** A document that leaves memory gets a snapshot if more entries than this came after the last one. */
const UPDATES_LEFT = 32
/** Or if they take more bytes than the last snapshot, and more than this. */
const BYTES_LEFT = 1024 * 1024
/** A channel with more entries than UPDATES_LEFT also gets one after this time, so that a slow channel's log is pruned too. */
const AFTER_MS = 3 * 60_000
/** A snapshot is also due when the entries after the last one take this many times its bytes. */
const TAIL_SHARE = 2
/** A smaller snapshot counts as this large. */
const BYTES_MIN = 64 * 1024
/** Each channel's limits are higher by a random share up to this, so not all busy channels need snapshots at once. */
const JITTER = 0.5
const RETRY_MS = 1_000
/** The event loop encodes documents up to this size in a millisecond or two. The worker encodes larger ones. */
const EVENT_LOOP_MAX_BYTES = 2 * 1024 * 1024
/** Entries pruned at once: more than are appended between two snapshots, so that none pile up. */
const PRUNED_MAX = 2_000

type SnapshotDeps = { sql: Sql; history: History; snapshots: Snapshots; log: Logger }

/** The log after the last snapshot, in updates and bytes, and the size of that snapshot. */
type Tail = { updates: number; bytes: number; snapshot_bytes: number }

export class SnapshotSchedule {
  readonly #channel_id: string
  readonly #deps: SnapshotDeps
  #tail: Tail = { updates: 0, bytes: 0, snapshot_bytes: 0 }
  /** When this instance opened the channel, or took its last snapshot. */
  #since = performance.now()
  readonly #factor = 1 + Math.random() * JITTER
  taking = false
  #retry_at = 0

  constructor(channel_id: string, deps: SnapshotDeps) {
    this.#channel_id = channel_id
    this.#deps = deps
  }

  loaded(tail: Tail): void {
    this.#tail = tail
  }

  appended(bytes: number): void {
    this.#tail.updates++
    this.#tail.bytes += bytes
  }

  get due(): boolean {
    const { updates, bytes, snapshot_bytes } = this.#tail
    const bytes_max = TAIL_SHARE * Math.max(snapshot_bytes, BYTES_MIN)
    const late = updates > UPDATES_LEFT && performance.now() - this.#since >= AFTER_MS * this.#factor
    return this.#canTake && (late || updates >= UPDATES * this.#factor || bytes > bytes_max * this.#factor)
  }

  /** For a document that leaves memory. */
  get dueAtLast(): boolean {
    const { updates, bytes, snapshot_bytes } = this.#tail
    return this.#canTake && (updates > UPDATES_LEFT || bytes > Math.max(snapshot_bytes, BYTES_LEFT))
  }

  /** `bytes`: of the live document, 0 if it isn't in memory. */
  fitsEventLoop(bytes: number): boolean {
    return Math.max(bytes, this.#tail.snapshot_bytes) <= EVENT_LOOP_MAX_BYTES
  }

  /**
   * Calls `encode` after the earlier snapshots of other channels. `encode` returns null if there is nothing to write.
   * Resolves when the snapshot is written, or has failed.
   */
  take(encode: () => Promise<{ state: Uint8Array; head: LogHead } | null>): Promise<void> {
    this.taking = true
    return this.#deps.snapshots
      .enqueue(async () => {
        const encoded = await encode()
        if (encoded) await this.#write(encoded)
      })
      .catch(error => {
        this.#retry_at = performance.now() + RETRY_MS
        this.#deps.log.warn({ err: error, channel_id: this.#channel_id }, 'could not write a snapshot')
      })
      .finally(() => {
        this.taking = false
      })
  }

  /** `seq` returns the log's last seq. It is called when the worker has finished. */
  takeInWorker(seq: () => number | undefined): void {
    this.#retry_at = performance.now() + RETRY_MS
    this.#deps.snapshots.request(this.#channel_id, taken => {
      const updates = Math.max(0, (seq() ?? taken.seq) - taken.seq)
      this.#begin({ updates, bytes: 0, snapshot_bytes: taken.bytes })
    })
  }

  async #write({ state, head }: { state: Uint8Array; head: LogHead }): Promise<void> {
    const { sql, history } = this.#deps
    this.#begin({ updates: 0, bytes: 0, snapshot_bytes: state.length })
    await writeSnapshot(sql, this.#channel_id, head, state, history.current)
    await pruneLog(sql, this.#channel_id, head, PRUNED_MAX)
  }

  #begin(tail: Tail): void {
    this.#tail = tail
    this.#since = performance.now()
  }

  get #canTake(): boolean {
    return !this.taking && performance.now() >= this.#retry_at
  }
}
