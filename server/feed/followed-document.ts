// A channel's document as the log has it: where it stands, its live copy while that is needed, and who is shown it.
// Whoever calls does one thing at a time: nothing here waits for its turn.
import * as Y from 'yjs'
import { CLOSE_DELETED, CLOSE_LOST_TIMELINE } from '../../shared/close-codes.ts'
import type { Grown, ToldTurn } from '../bus/bus.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { DueSnapshots } from './due-snapshots.ts'
import { FanOut } from './fan-out.ts'
import { LiveDocument } from './live-document.ts'
import { beginEpoch, type DocumentHead, readDocument, readHead, readTail } from './log.ts'
import { RecentUpdates } from './recent-updates.ts'

export type FollowedDocumentDeps = {
  sql: Sql
  /** Documents of an older generation were written by another database, or before a restore. */
  generation: number
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
    if (!turn || !next || !continues(head, turn)) return void (await this.refresh())
    const { update, ...after } = turn
    this.#live?.apply([update])
    this.advance(update, { ...head, ...after, seq })
    this.#deps.followed('bus', 1)
  }

  /** The one way in which committed updates reach viewers, in the log's order. */
  advance(update: Uint8Array, head: DocumentHead): void {
    this.recent.push(this.#head?.clock ?? 0, head.clock, update)
    this.#head = head
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
    this.drop()
    this.#head = null
    this.recent.clear()
    this.#sendAway(CLOSE_DELETED, 'channel deleted')
  }

  /** Shows what the log has up to `stored`, which was just read. False where the document began anew instead. */
  async #follow(stored: DocumentHead): Promise<boolean> {
    const { sql, generation, followed } = this.#deps
    const known = this.#head
    const wentBack = known?.epoch === stored.epoch && known.seq > stored.seq
    if (stored.generation < generation || wentBack) {
      await beginEpoch(sql, this.channel_id, stored)
      return false
    }
    if (known && known.epoch !== stored.epoch) {
      this.#leap(stored, CLOSE_LOST_TIMELINE, 'lost timeline')
    } else if (known && known.seq < stored.seq) {
      const tail = await readTail(sql, this.channel_id, stored.epoch, known.seq, stored.seq)
      if (tail.length === stored.seq - known.seq) {
        this.#live?.apply(tail.map(({ update }) => update))
        for (const { seq, clock, update } of tail) this.advance(update, { ...known, seq, clock })
        followed('log', tail.length)
      } else {
        // The log no longer reaches back to what viewers here have: they ask again.
        this.#leap(stored, CLOSE_BEHIND, 'behind the log')
      }
    }
    this.#head = stored
    return true
  }

  #leap(to: DocumentHead, code: number, reason: string): void {
    this.drop()
    this.recent.clear()
    this.#head = to
    this.#sendAway(code, reason)
  }

  #sendAway(code: number, reason: string): void {
    for (const viewer of this.fanOut.viewers) viewer.close(code, reason)
    for (const listener of this.#listeners) listener()
  }
}

/** Whether the told update is all between `head` and the clock it names. Whoever reaches the bus may say anything. */
function continues(head: DocumentHead, { clock, update }: ToldTurn): boolean {
  try {
    const { from, to } = Y.parseUpdateMeta(update)
    return from.size === 1 && from.get(head.client_id) === head.clock && to.get(head.client_id) === clock
  } catch {
    return false
  }
}
