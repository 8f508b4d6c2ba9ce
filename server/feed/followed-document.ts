// A channel's document as the log has it: where it stands, its live copy while that is needed, and who is shown it.
// Whoever calls does one thing at a time: nothing here waits for its turn.
import * as Y from 'yjs'
import { CLOSE_DELETED, CLOSE_LOST_TIMELINE } from '../../shared/close-codes.ts'
import type { Grown } from '../bus/bus.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { DueSnapshots } from './due-snapshots.ts'
import { FanOut } from './fan-out.ts'
import type { History } from './history.ts'
import { LiveDocument } from './live-document.ts'
import {
  beginEpoch,
  type DocumentHead,
  type LoggedUpdate,
  type LogPlace,
  readDocument,
  readHead,
  readTail,
} from './log.ts'
import { RecentUpdates } from './recent-updates.ts'

export type FollowedDocumentDeps = {
  sql: Sql
  /** Documents of an older generation than its own begin a new epoch. */
  history: History
  /** Turns of other instances were shown here, as the bus brought them or as the log has them. */
  followed: (source: 'bus' | 'log', turns: number) => void
}

/** Come back: the server restarts its part of the connection (RFC 6455 registry). */
const CLOSE_BEHIND = 1012

export class FollowedDocument {
  readonly channel_id: string
  readonly fanOut = new FanOut()
  readonly recent = new RecentUpdates()
  readonly #deps: FollowedDocumentDeps
  readonly #snapshots: DueSnapshots
  readonly #on_gone: () => void
  readonly #listeners = new Set<() => void>()
  #head: DocumentHead | null = null
  #confirmed_at = performance.now()
  #live: LiveDocument | null = null

  /** `on_gone`: the database has no such document any more. */
  constructor(channel_id: string, deps: FollowedDocumentDeps, snapshots: DueSnapshots, on_gone: () => void) {
    this.channel_id = channel_id
    this.#deps = deps
    this.#snapshots = snapshots
    this.#on_gone = on_gone
  }

  /** The committed document's place in the log, or null while it is not known here. */
  get head(): DocumentHead | null {
    return this.#head
  }

  /** When the log was last known to end at `head`, as `performance.now()`. */
  get confirmed_at(): number {
    return this.#confirmed_at
  }

  /** Ahead of `head` during a turn. */
  get live(): LiveDocument | null {
    return this.#live
  }

  get watched(): boolean {
    return this.fanOut.viewers.size > 0 || this.#listeners.size > 0
  }

  /** Calls `listener` whenever the log has grown, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  knows(epoch: number, seq: number): boolean {
    const head = this.#head
    return head !== null && (head.epoch > epoch || (head.epoch === epoch && head.seq >= seq))
  }

  /** Whether the log ends where `head` says. `place` was read at `read_at`. */
  confirm({ epoch, seq, clock }: LogPlace, read_at: number): boolean {
    const head = this.#head
    if (head?.epoch !== epoch || head.seq !== seq || head.clock !== clock) return false
    this.#confirmed_at = Math.max(this.#confirmed_at, read_at)
    return true
  }

  /** The live document at the log's end, loaded if it is not in memory. */
  async load(): Promise<{ live: LiveDocument; head: DocumentHead }> {
    for (;;) {
      if (this.#live && this.#head) return { live: this.#live, head: this.#head }
      const stored = await readDocument(this.#deps.sql, this.channel_id)
      if (!stored) {
        this.#on_gone()
        throw notFound('Channel')
      }
      const { updates, snapshot_seq, snapshot_bytes, ...head } = stored
      // Viewers hear of what is new before the document is taken for current.
      if (!(await this.#follow(head))) continue
      const live = new LiveDocument(this.channel_id, head.client_id, updates)
      if (live.clock !== head.clock) {
        throw new Error(
          `the log of channel ${this.channel_id} is not whole: ${live.clock}, not ${head.clock}`,
        )
      }
      this.#live = live
      const bytes = updates.reduce((sum, { length }) => sum + length, 0)
      this.#snapshots.read({
        updates: head.seq - snapshot_seq,
        bytes: bytes - snapshot_bytes,
        snapshot_bytes,
      })
    }
  }

  /** Reads what others appended, and shows it. Returns where the document stands; null: it is deleted. */
  async refresh(): Promise<DocumentHead | null> {
    for (;;) {
      const stored = await readHead(this.#deps.sql, this.channel_id)
      if (!stored) {
        this.#on_gone()
        return null
      }
      if (await this.#follow(stored)) return stored
    }
  }

  /** Shows what another instance told of a turn where that is the next one, else what the log has. */
  async hear({ epoch, seq, turn }: Pick<Grown, 'epoch' | 'seq' | 'turn'>): Promise<void> {
    const head = this.#head
    if (!head || this.knows(epoch, seq)) return
    const next = head.epoch === epoch && head.seq + 1 === seq
    if (!turn || !next || !continues(head, [turn])) return void (await this.refresh())
    const { update, ...after } = turn
    this.#live?.apply([update])
    this.advance(update, { ...head, ...after, seq })
    this.#deps.followed('bus', 1)
  }

  /** The one way in which committed updates reach viewers, in the log's order. */
  advance(update: Uint8Array, head: DocumentHead): void {
    this.recent.push(this.#head?.clock ?? 0, head.clock, update)
    this.#head = head
    this.#confirmed_at = performance.now()
    this.fanOut.publish(update, head.clock)
    for (const listener of this.#listeners) listener()
    this.#snapshots.grew(update.length)
  }

  /** How long events are kept is written beside the turns. */
  keepEventsUntil(events_until: string | null): void {
    if (this.#head) this.#head = { ...this.#head, events_until }
  }

  /** Lets the live document leave memory, or throws it away where its last turn was not committed. */
  drop(): void {
    this.#live?.destroy()
    this.#live = null
  }

  /** The channel is gone, and viewers are told. */
  delete(): void {
    this.#leap(null, CLOSE_DELETED, 'channel deleted')
  }

  /** The database may lack what was read before: viewers start over. */
  historyLost(): void {
    const known = this.#head
    if (known && known.generation < this.#deps.history.settled.generation)
      this.#leap(null, CLOSE_LOST_TIMELINE, 'lost timeline')
  }

  /** Shows what the log has up to `stored`, which was just read. False where the document began anew instead. */
  async #follow(stored: DocumentHead): Promise<boolean> {
    const { sql, history, followed } = this.#deps
    const known = this.#head
    if (stored.generation < history.settled.generation) {
      if (!(await beginEpoch(sql, this.channel_id, stored, history.settled))) await history.check()
      return false
    }
    if (known && (known.epoch !== stored.epoch || known.client_id !== stored.client_id)) {
      this.#leap(stored, CLOSE_LOST_TIMELINE, 'lost timeline')
    } else if (
      known &&
      (known.seq > stored.seq || (known.seq === stored.seq && known.clock !== stored.clock))
    ) {
      await history.contradicted(this.channel_id)
      return false
    } else if (known && known.seq < stored.seq) {
      const tail = await readTail(sql, this.channel_id, stored.epoch, known.seq, stored.seq)
      if (tail.length === stored.seq - known.seq) {
        if (!continues(known, tail)) {
          await history.contradicted(this.channel_id)
          return false
        }
        this.#live?.apply(tail.map(({ update }) => update))
        for (const { seq, clock, update } of tail) this.advance(update, { ...known, seq, clock })
        followed('log', tail.length)
      } else {
        // The log no longer reaches back to what viewers here have: they ask again.
        this.#leap(stored, CLOSE_BEHIND, 'behind the log')
      }
    }
    this.#head = stored
    this.#confirmed_at = performance.now()
    return true
  }

  #leap(to: DocumentHead | null, code: number, reason: string): void {
    this.drop()
    this.recent.clear()
    this.fanOut.forget()
    this.#head = to
    for (const viewer of this.fanOut.viewers) {
      // A stock client doesn't return after 4409. One that was told nothing yet has nothing to lose.
      if (code !== CLOSE_LOST_TIMELINE || viewer.state.kind !== 'joining') viewer.close(code, reason)
    }
    for (const listener of this.#listeners) listener()
  }
}

/**
 * Whether each update begins where the one before it ended, the first at `head`, and ends at the clock it names.
 * Anything may come over the bus; a log that doesn't continue what was shown belongs to another history.
 */
function continues(head: DocumentHead, updates: Pick<LoggedUpdate, 'clock' | 'update'>[]): boolean {
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
