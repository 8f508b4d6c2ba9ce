// A channel's document, for the work that has it to itself: see `exclusive` in channel-document.ts.
import type { Logger } from 'pino'
import { CLOSE_DELETED, CLOSE_LOST_TIMELINE, CLOSE_RESTART } from '../../../shared/close-codes.ts'
import type { GrownNotice } from '../../bus/bus.ts'
import type { Sql } from '../../database/connect.ts'
import { notFound } from '../../errors.ts'
import { LiveDocument } from '../document/live-document.ts'
import { readUpdate } from '../document/update-reader.ts'
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
import { lengthOf, RecentUpdates } from './recent-updates.ts'
import { SnapshotSchedule } from './snapshot-schedule.ts'
import type { Snapshots } from './snapshots.ts'

export type DocumentDeps = {
  sql: Sql
  snapshots: Snapshots
  log: Logger
  history: History
  followed: (source: 'bus' | 'log', turns: number) => void
}

/** Hears of committed changes, in the order of the log. */
export type DocumentListener = {
  /** Committed updates reach viewers only here. `clock`: of the document after the update. */
  publish(update: Uint8Array, clock: number): void
  /** What viewers have is of another log, or too old. `code`: for their sockets. */
  startOver(code: number, reason: string): void
  /** The log's head has become known. */
  found(): void
  deleted(): void
}

export class HeldDocument {
  readonly channel_id: string
  readonly recent = new RecentUpdates()
  readonly schedule: SnapshotSchedule
  readonly #deps: DocumentDeps
  readonly #listener: DocumentListener
  #head: LogHead | null = null
  #confirmed_at = performance.now()
  #live: LiveDocument | null = null
  /** When the live document was last loaded or written, as `performance.now()`. */
  used = performance.now()

  constructor(channel_id: string, deps: DocumentDeps, listener: DocumentListener) {
    this.channel_id = channel_id
    this.#deps = deps
    this.#listener = listener
    this.schedule = new SnapshotSchedule(channel_id, deps)
  }

  get log_head(): LogHead | null {
    return this.#head
  }

  /** Ahead of `log_head` during a turn; null if not in memory. */
  get live(): LiveDocument | null {
    return this.#live
  }

  /** Whether its log wasn't confirmed to end at `log_head` since `since`. */
  unconfirmed(since: number): boolean {
    return this.#head !== null && this.#confirmed_at < since
  }

  /** Returns whether the log ends at `end`, which was read at `read_at`, as far as this instance knows. */
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
        this.#listener.deleted()
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
      this.schedule.loaded({ updates: head.seq - snapshot_seq, bytes, snapshot_bytes })
    }
  }

  /** Applies what other instances appended. Returns the head; null if the channel was deleted. */
  async refresh(): Promise<LogHead | null> {
    for (;;) {
      const stored = await readLogHead(this.#deps.sql, this.channel_id)
      if (!stored) {
        this.#listener.deleted()
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

  /** The update is committed. If the live document is in memory, it has the update already. */
  advance(update: Uint8Array, head: LogHead): void {
    this.recent.push(this.#head?.clock ?? 0, update)
    this.#head = head
    this.#confirmed_at = performance.now()
    this.#listener.publish(update, head.clock)
    this.schedule.appended(update.length)
  }

  setEventsUntil(events_until: string): void {
    if (this.#head) this.#head = { ...this.#head, events_until }
  }

  /** A turn that isn't committed leaves the live document ahead of the log, so it must be discarded. */
  discardLive(): void {
    this.#live = null
  }

  historyLost(): void {
    const known = this.#head
    if (known && known.generation < this.#deps.history.current.generation)
      this.#startOver(null, CLOSE_LOST_TIMELINE, 'lost timeline')
  }

  close(): void {
    this.#startOver(null, CLOSE_DELETED, 'channel deleted')
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
    if (!known) this.#listener.found()
    return true
  }

  async #contradicted(): Promise<false> {
    await this.#deps.history.contradicted(this.channel_id)
    return false
  }

  #startOver(head: LogHead | null, code: number, reason: string): void {
    this.discardLive()
    this.recent.clear()
    this.#head = head
    this.#listener.startOver(code, reason)
  }
}

/** Whether the updates follow `head` without a gap. A notice may contain anything, and a log may be of another history. */
function continues(head: LogHead, updates: Pick<LoggedUpdate, 'clock' | 'update'>[]): boolean {
  let before = head.clock
  try {
    return updates.every(({ clock, update }) => {
      const { client_id, clock: first, structs } = readUpdate(update)
      const end = structs.reduce((sum, { length }) => sum + length, first)
      const fits = client_id === head.client_id && first === before && end === clock
      before = clock
      return fits
    })
  } catch {
    return false
  }
}
