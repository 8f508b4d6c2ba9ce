// One channel's document on this instance: how far its log is known, the live document, and the viewers. Only `enqueue`
// waits for other work. Callers use everything else inside work that they enqueued.
import type { Logger } from 'pino'
import * as Y from 'yjs'
import { CLOSE_DELETED, CLOSE_LOST_TIMELINE, CLOSE_RESTART } from '../../../shared/close-codes.ts'
import type { GrownNotice } from '../../bus/bus.ts'
import type { Sql } from '../../database/connect.ts'
import { notFound } from '../../errors.ts'
import { LiveDocument } from '../document/live-document.ts'
import { lengthOf } from '../viewers/frames.ts'
import { FanOut } from '../viewers/viewers.ts'
import { beginEpoch } from './epochs.ts'
import type { History } from './history.ts'
import {
  type LogEnd,
  type LoggedUpdate,
  type LogHead,
  readLogHead,
  readStoredDocument,
  readTail,
} from './log.ts'
import { RecentUpdates } from './recent-updates.ts'
import { SnapshotSchedule } from './snapshot-schedule.ts'
import type { Snapshots } from './snapshots.ts'

export type DocumentDeps = {
  sql: Sql
  snapshots: Snapshots
  log: Logger
  history: History
  followed: (source: 'bus' | 'log', turns: number) => void
}

export class ChannelDocument {
  readonly channel_id: string
  readonly fanOut = new FanOut()
  readonly recent = new RecentUpdates()
  readonly #deps: DocumentDeps
  readonly #schedule: SnapshotSchedule
  readonly #on_deleted: () => void
  readonly #listeners = new Set<() => void>()
  #last: Promise<unknown> = Promise.resolve()
  #head: LogHead | null = null
  #confirmed_at = performance.now()
  #live: LiveDocument | null = null
  /** When the live document was last loaded or written, as `performance.now()`. */
  used = performance.now()

  constructor(channel_id: string, deps: DocumentDeps, on_deleted: () => void) {
    this.channel_id = channel_id
    this.#deps = deps
    this.#schedule = new SnapshotSchedule(channel_id, deps)
    this.#on_deleted = on_deleted
  }

  get log_head(): LogHead | null {
    return this.#head
  }

  /** Ahead of `head` during a turn; null if not in memory. */
  get live(): LiveDocument | null {
    return this.#live
  }

  get watched(): boolean {
    return this.fanOut.viewers.size > 0 || this.listened
  }

  /** A request waits for the log's growth. */
  get listened(): boolean {
    return this.#listeners.size > 0
  }

  get memory(): number {
    return (this.#live?.memory ?? 0) + this.recent.bytes
  }

  enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    // Without the result, which may be a whole document.
    this.#last = done.then(
      () => {},
      () => {},
    )
    return done
  }

  /** `listener` runs whenever `head` changes, also when it becomes known or null. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether its log wasn't confirmed to end at `head` since `since`. */
  unconfirmed(since: number): boolean {
    return this.#head !== null && this.#confirmed_at < since
  }

  confirm({ epoch, seq, clock }: LogEnd, read_at: number): boolean {
    const head = this.#head
    if (head?.epoch !== epoch || head.seq !== seq || head.clock !== clock) return false
    this.#confirmed_at = Math.max(this.#confirmed_at, read_at)
    return true
  }

  async load(): Promise<{ live: LiveDocument; log_head: LogHead }> {
    if (!this.#live) this.used = performance.now()
    for (;;) {
      if (this.#live && this.#head) return { live: this.#live, log_head: this.#head }
      const stored = await readStoredDocument(this.#deps.sql, this.channel_id)
      if (!stored) {
        this.#on_deleted()
        throw notFound('Channel')
      }
      const { updates, snapshot_seq, snapshot_bytes, ...head } = stored
      if (!(await this.#follow(head))) continue
      const live = new LiveDocument(this.channel_id, head.client_id, updates)
      if (live.clock !== head.clock)
        throw new Error(
          `the log of channel ${this.channel_id} is incomplete: it ends at ${live.clock}, not ${head.clock}`,
        )
      this.#live = live
      const bytes = lengthOf(updates) - snapshot_bytes
      this.#schedule.loaded({ updates: head.seq - snapshot_seq, bytes, snapshot_bytes })
    }
  }

  /** Applies what other instances appended. Returns the head; null if the channel was deleted. */
  async refresh(): Promise<LogHead | null> {
    for (;;) {
      const stored = await readLogHead(this.#deps.sql, this.channel_id)
      if (!stored) {
        this.#on_deleted()
        return null
      }
      if (await this.#follow(stored)) return stored
    }
  }

  knows({ epoch, seq }: Pick<LogEnd, 'epoch' | 'seq'>): boolean {
    const head = this.#head
    return head !== null && (head.epoch > epoch || (head.epoch === epoch && head.seq >= seq))
  }

  async receive({ epoch, seq, turn }: Pick<GrownNotice, 'epoch' | 'seq' | 'turn'>): Promise<void> {
    const head = this.#head
    if (!head || this.knows({ epoch, seq })) return
    const next = head.epoch === epoch && head.seq + 1 === seq
    if (!turn || !next || !continues(head, [turn])) return void (await this.refresh())
    const { update, ...after } = turn
    this.#live?.apply([update])
    this.advance(update, { ...head, ...after, seq })
    this.#deps.followed('bus', 1)
  }

  /** Committed updates reach viewers only here, in the order of the log. */
  advance(update: Uint8Array, head: LogHead): void {
    this.recent.push(this.#head?.clock ?? 0, update)
    this.#head = head
    this.#confirmed_at = performance.now()
    this.fanOut.publish(update, head.clock)
    this.#tellListeners()
    this.#schedule.appended(update.length)
  }

  setEventsUntil(events_until: string): void {
    if (this.#head) this.#head = { ...this.#head, events_until }
  }

  takeSnapshotIfDue(): void {
    if (this.#schedule.due) void this.#takeSnapshot()
  }

  /** Before the service stops, so that the next load is short. */
  async takeLastSnapshot(): Promise<void> {
    if (this.#live && this.#schedule.dueAtLast) await this.#takeSnapshot()
  }

  /** Frees memory. Viewers are then served from the log. */
  unload(): void {
    this.recent.clear()
    if (!this.#live || this.#schedule.taking) return
    if (this.#schedule.dueAtLast) void this.#takeSnapshot(() => this.discardLive())
    else this.enqueue(async () => this.discardLive()).catch(() => {})
  }

  /** A turn that isn't committed leaves the live document ahead of the log, so it must be discarded. */
  discardLive(): void {
    this.#live?.destroy()
    this.#live = null
  }

  close(): void {
    this.#startOver(null, CLOSE_DELETED, 'channel deleted')
  }

  historyLost(): void {
    const known = this.#head
    if (known && known.generation < this.#deps.history.current.generation)
      this.#startOver(null, CLOSE_LOST_TIMELINE, 'lost timeline')
  }

  async #takeSnapshot(encoded = () => {}): Promise<void> {
    if (!this.#schedule.fitsEventLoop(this.#live?.encoded.bytes ?? 0)) {
      this.#schedule.takeInWorker(() => this.#head?.seq)
      return this.enqueue(async () => encoded())
    }
    await this.#schedule.take(() =>
      this.enqueue(async () => {
        const snapshot = this.#live && this.#head && { state: this.#live.encode(), head: this.#head }
        encoded()
        return snapshot
      }),
    )
  }

  /** Applies the log up to `stored`, which was just read. Returns false if `stored` must be read again. */
  async #follow(stored: LogHead): Promise<boolean> {
    const { sql, history, followed } = this.#deps
    const known = this.#head
    if (stored.generation < history.current.generation) {
      if (!(await beginEpoch(sql, this.channel_id, stored, history.current))) await history.check()
      return false
    }
    if (known && (known.epoch !== stored.epoch || known.client_id !== stored.client_id)) {
      this.#startOver(stored, CLOSE_LOST_TIMELINE, 'lost timeline')
    } else if (known && known.seq < stored.seq) {
      const tail = await readTail(sql, this.channel_id, known, stored.seq)
      if (tail.length === 0) {
        // The log no longer reaches back to what the viewers here have.
        this.#startOver(stored, CLOSE_RESTART, 'behind the log')
      } else if (continues(known, tail)) {
        this.#live?.apply(tail.map(({ update }) => update))
        for (const { seq, clock, update } of tail) this.advance(update, { ...known, seq, clock })
        followed('log', tail.length)
        if (known.seq + tail.length < stored.seq) return false
      } else {
        return this.#contradicted()
      }
    } else if (known && (known.seq > stored.seq || known.clock !== stored.clock)) {
      return this.#contradicted()
    }
    this.#head = stored
    this.#confirmed_at = performance.now()
    if (!known) this.#tellListeners()
    return true
  }

  async #contradicted(): Promise<false> {
    await this.#deps.history.contradicted(this.channel_id)
    return false
  }

  #startOver(head: LogHead | null, code: number, reason: string): void {
    this.discardLive()
    this.recent.clear()
    this.fanOut.dropPending()
    this.#head = head
    for (const viewer of this.fanOut.viewers) {
      // A stock client doesn't return after 4409. A viewer that is still joining has received nothing, and can stay.
      if (code !== CLOSE_LOST_TIMELINE || viewer.state.kind !== 'joining') viewer.close(code, reason)
    }
    this.#tellListeners()
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Whether the updates follow `head` without a gap. A notice may contain anything, and a log may be of another history. */
function continues(head: LogHead, updates: Pick<LoggedUpdate, 'clock' | 'update'>[]): boolean {
  let before = head.clock
  try {
    return updates.every(({ clock, update }) => {
      const { from, to } = Y.parseUpdateMeta(update)
      const fits = from.size === 1 && from.get(head.client_id) === before && to.get(head.client_id) === clock
      before = clock
      return fits
    })
  } catch {
    return false
  }
}
