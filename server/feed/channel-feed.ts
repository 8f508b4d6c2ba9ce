// One channel on this instance: its writes, one turn after another, and its viewers.
// What viewers get is committed, always: the live document may be ahead of it during a turn, and is thrown
// away when a commit fails.
import type { Logger } from 'pino'
import * as Y from 'yjs'
import type { PlacedCard } from '../../shared/card.ts'
import { findCard } from '../../shared/channel-doc.ts'
import { CLOSE_DELETED, CLOSE_LOST_TIMELINE } from '../../shared/close-codes.ts'
import type { Grown, ToldTurn } from '../bus/bus.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { dailyLimitReached, utcDay } from '../rate-limit.ts'
import { type CommitLoop, isConnectionLoss } from './commit.ts'
import { EVENTS_KEPT_MS, eventsOf } from './events.ts'
import { FanOut } from './fan-out.ts'
import { KeyTaken } from './idempotency.ts'
import { LiveDocument } from './live-document.ts'
import { beginEpoch, type DocumentHead, readDocument, readHead, readTail, writeSnapshot } from './log.ts'
import { isBehind, prefetch } from './prefetch.ts'
import type { CardQuota } from './quota.ts'
import { RecentUpdates } from './recent-updates.ts'
import type { Snapshots } from './snapshots.ts'
import { isRefusal, NotThisTurn, type Outcome, Turn } from './turn.ts'
import type { TurnRecord } from './turn-record.ts'
import { type QueuedWrite, WriteQueue, type WriteRequest } from './write-queue.ts'

export type FeedDeps = {
  sql: Sql
  commits: CommitLoop
  quota: CardQuota
  snapshots: Snapshots
  log: Logger
  /** Documents of an older generation were written by another database, or before a restore. */
  generation: number
  now: () => number
  /** A turn is durable: other instances should hear of it. */
  committed: (grown: Grown) => void
  /** Turns of other instances were shown here, as the bus brought them or as the log has them. */
  followed: (source: 'bus' | 'log', turns: number) => void
}

const RETRY_MS = 100
/** Come back: the server restarts its part of the connection (RFC 6455 registry). */
const CLOSE_BEHIND = 1012
/** Without a write for so long, the live document leaves memory, watched or not. */
const IDLE_MS = 15_000
const SNAPSHOT_UPDATES = 64
const SNAPSHOT_BYTES_MIN = 32 * 1024
const SNAPSHOT_PAUSE_MS = 1_000
const SNAPSHOT_HERE_MAX_BYTES = 2 * 1024 * 1024

export class ChannelFeed {
  readonly channel_id: string
  readonly fanOut = new FanOut()
  readonly recent = new RecentUpdates()
  readonly #deps: FeedDeps
  readonly #listeners = new Set<() => void>()
  #head: DocumentHead | null = null
  #live: LiveDocument | null = null
  readonly #queue = new WriteQueue()
  #scheduled = false
  /** Who waits until all writes are answered. */
  #settling: (() => void)[] = []
  #chain: Promise<unknown> = Promise.resolve()
  #used: number
  #deleted = false
  #tail = { updates: 0, bytes: 0, snapshot_bytes: 0 }
  #nextSnapshot = 0

  constructor(channel_id: string, deps: FeedDeps) {
    this.channel_id = channel_id
    this.#deps = deps
    this.#used = deps.now()
  }

  /** The committed document's place in the log, or null while it is not known here. */
  get head(): DocumentHead | null {
    return this.#head
  }

  /** True where the live document is in memory and has the card: then no query need ask for it. */
  holds(card_id: string): boolean {
    return this.#live !== null && findCard(this.#live.doc, card_id) !== undefined
  }

  /** Queues a write for the channel's next turn. Resolves when it is durable. */
  write(request: WriteRequest): Promise<Outcome> {
    if (this.#deleted) return Promise.reject(notFound('Channel'))
    const outcome = this.#queue.push(request, this.#deps.now())
    this.#schedule()
    return outcome
  }

  /** The document whole, as one update, with the clock it stands at. Encoded between turns. */
  state(): Promise<{ update: Uint8Array; epoch: number; clock: number }> {
    return this.#between(async () => {
      const { live, head } = await this.#load()
      return { update: live.encode(), epoch: head.epoch, clock: head.clock }
    })
  }

  /** A live page's cards and the seq they are true at; null for an archived page. */
  livePage(page: number): Promise<{ cards: PlacedCard[]; seq: number; epoch: number } | null> {
    return this.#between(async () => {
      const { live, head } = await this.#load()
      const cards = live.page(page)
      return cards && { cards, seq: head.seq, epoch: head.epoch }
    })
  }

  /** From now on turns are logged with their events, for a day; renewed in the second half of it. */
  async keepEvents(owner_id: string): Promise<void> {
    const head = this.#head ?? (await this.refresh())
    const now = this.#deps.now()
    if (!head) throw notFound('Channel')
    if (head.events_until !== null && Date.parse(head.events_until) > now + EVENTS_KEPT_MS / 2) return
    const until = new Date(now + EVENTS_KEPT_MS).toISOString()
    await this.write({
      // A turn of its own: other instances read the document's row before they append to it again.
      write: { kind: 'head', change: () => ({}) },
      owner_id,
      also: async tx => {
        await tx`update documents set events_until = ${until} where channel_id = ${this.channel_id}`
      },
    })
    await this.#between(async () => {
      const stored = await readHead(this.#deps.sql, this.channel_id)
      if (stored && this.#head) this.#head = { ...this.#head, events_until: stored.events_until }
    })
  }

  /** Calls `listener` whenever the log has grown, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads what others appended, and shows it. Returns where the document stands; null: it is deleted. */
  refresh(): Promise<DocumentHead | null> {
    return this.#between(() => this.#refresh())
  }

  /** The log has grown: another instance says so, with what it wrote, or someone looked. */
  heard({ epoch, seq, turn }: Pick<Grown, 'epoch' | 'seq' | 'turn'>): void {
    if (this.#knows(epoch, seq)) return
    // In line behind a document that is being read, and many notices may wait for one look at the log.
    this.#between(async () => {
      const head = this.#head
      if (!head || this.#knows(epoch, seq)) return
      const next = head.epoch === epoch && head.seq + 1 === seq
      if (turn && next && continues(head, turn)) this.#take(head, turn)
      else await this.#refresh()
    }).catch(error => this.#deps.log.warn({ err: error }, 'could not follow the log'))
  }

  /** Shows the next turn as another instance told it. */
  #take(head: DocumentHead, { update, ...after }: ToldTurn): void {
    this.#live?.apply([update])
    this.#advance(after.clock, update, { ...head, ...after, seq: head.seq + 1 })
    this.#deps.followed('bus', 1)
  }

  #knows(epoch: number, seq: number): boolean {
    const head = this.#head
    return head !== null && (head.epoch > epoch || (head.epoch === epoch && head.seq >= seq))
  }

  /** The channel is gone: viewers and waiting writers are told. */
  delete(): void {
    this.#deleted = true
    this.#drop()
    this.#head = null
    this.recent.clear()
    for (const viewer of this.fanOut.viewers) viewer.close(CLOSE_DELETED, 'channel deleted')
    for (const listener of this.#listeners) listener()
    this.#queue.refuseAll(notFound('Channel'))
  }

  /** Once a second. Returns true when nothing needs this feed any more. */
  check(now: number): boolean {
    this.fanOut.check(now)
    if (now - this.#used < IDLE_MS || this.#queue.length > 0 || this.#scheduled) return this.#deleted
    this.rest()
    return this.fanOut.viewers.size === 0 && this.#listeners.size === 0
  }

  /** How much memory the live document takes, in Yjs items; 0 while it is not in memory. */
  get weight(): number {
    return this.#live?.size ?? 0
  }

  /** When the live document was last loaded or written. */
  get used(): number {
    return this.#used
  }

  /** Lets the live document leave memory: what viewers need is in the log. */
  rest(): void {
    if (!this.#live) return
    if (this.#tail.updates > SNAPSHOT_UPDATES / 4) this.#takeSnapshot()
    this.#between(async () => this.#drop()).catch(() => {})
    this.recent.clear()
  }

  /** Resolves when all that waited has been answered. */
  async settled(): Promise<void> {
    if (this.#queue.length === 0 && !this.#scheduled) return
    await new Promise<void>(resolve => this.#settling.push(resolve))
  }

  /** One thing at a time: turns, encodings and refreshes take their places in one line. */
  #between<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#chain.then(work)
    this.#chain = done.catch(() => {})
    return done
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    // The next turn of the event loop: whoever writes in this one shares the channel's turn.
    setImmediate(() => {
      this.#between(async () => {
        this.#used = this.#deps.now()
        await this.#turn()
      })
        .catch(error => this.#deps.log.error({ err: error, channel_id: this.channel_id }, 'turn failed'))
        .finally(() => {
          this.#scheduled = false
          if (this.#queue.length > 0) this.#schedule()
          else for (const resolve of this.#settling.splice(0)) resolve()
        })
    })
  }

  /** One turn for the writes that wait. Those that it does not answer go back to the head of the line. */
  async #turn(): Promise<void> {
    const batch = this.#queue.take()
    try {
      await this.#tryTurn(batch)
    } catch (error) {
      this.#drop()
      if (isConnectionLoss(error)) await pause()
      else this.#fail(batch, error)
    }
    if (this.#deleted) for (const queued of batch) if (!queued.answered) queued.refuse(notFound('Channel'))
    this.#queue.putBack(batch, this.#deps.now())
  }

  async #tryTurn(batch: QueuedWrite[]): Promise<void> {
    const { sql, quota, now, commits } = this.#deps
    await this.#load()
    if (await this.#answerLanded(batch)) return
    const live = this.#live
    const head = this.#head
    // What was read between the two may hold an attempt that nobody looked for.
    if (!live || !head) return
    const writes = batch.map(({ request }) => request.write)
    const prefetched = await prefetch(sql, live, writes)
    if (isBehind(live, prefetched.cards) && (await this.#refresh())?.seq !== head.seq) return
    const day = utcDay(now())
    const owner_id = batch[0]?.request.owner_id ?? ''
    if (writes.some(({ kind }) => kind === 'insert' || kind === 'upsert')) await quota.open(owner_id, day)

    const left = quota.remaining(owner_id, day)
    let spent = 0
    const turn = new Turn(live, prefetched, {
      seq: head.seq + 1,
      next_position: head.next_position,
      now: new Date(now()).toISOString(),
      spend: () => {
        if (left !== null && spent >= left) throw dailyLimitReached('cards', quota.limit ?? 0, now())
        spent++
        return left === null ? null : left - spent
      },
    })
    const done: { queued: QueuedWrite; outcome: Outcome }[] = []
    const refused: { queued: QueuedWrite; error: unknown }[] = []
    const update = live.transact(() => {
      for (const queued of batch) {
        const { write, keep, also } = queued.request
        const before = live.clock
        try {
          const outcome = turn.apply(write)
          // What hangs on this write needs a turn in the log, also where the document stays as it is.
          if ((keep || also) && live.clock === before) live.mark()
          done.push({ queued, outcome })
        } catch (error) {
          if (error instanceof NotThisTurn) return
          if (!isRefusal(error)) throw error
          refused.push({ queued, error })
        }
      }
    })

    const refuse = async () => {
      // A write that was tried before may be refused because of what it did itself.
      await this.#answerLanded(refused.map(({ queued }) => queued))
      for (const { queued, error } of refused) if (!queued.answered) queued.refuse(error)
    }
    if (!update) {
      // Nothing will be appended, so nothing tells whether this instance knew all: only the log does.
      if ((await this.#refresh())?.seq !== head.seq) return
      for (const { queued, outcome } of done) queued.done(outcome)
      return refuse()
    }

    const record: TurnRecord = {
      channel_id: this.channel_id,
      epoch: head.epoch,
      known: head.seq,
      clock: live.clock,
      next_position: turn.next_position,
      card_count: head.card_count + turn.card_delta,
      update,
      events: head.events_until !== null && Date.parse(head.events_until) > now() ? eventsOf(turn) : null,
      ...rowsOf(turn),
      owner_id,
      forgotten_paths: pathsOfDeleted(turn),
      pages: [...turn.pages],
      spent: spent > 0 ? { user_id: owner_id, day, cards: spent } : null,
      answers: done.flatMap(({ queued: { request }, outcome }) => request.keep?.(outcome) ?? []),
      also: done.flatMap(({ queued: { request } }) => request.also ?? []),
    }
    const verdict = await commits.commit(record)
    if (verdict.kind === 'committed') {
      const { clock, next_position, card_count } = record
      this.#advance(clock, update, { ...head, seq: head.seq + 1, clock, next_position, card_count })
      this.#snapshotWhenDue()
      // What else a turn's transaction wrote, the head's row among it, others must read.
      const turn = record.also.length === 0 ? { clock, next_position, card_count, update } : undefined
      const { channel_id } = this
      this.#deps.committed({ kind: 'grown', channel_id, epoch: head.epoch, seq: head.seq + 1, turn })
      if (verdict.used !== null) quota.learn(owner_id, day, verdict.used)
      const others = (left ?? 0) - spent - (quota.remaining(owner_id, day) ?? 0)
      for (const { queued, outcome } of done) queued.done(spentBesides(outcome, others))
      return refuse()
    }
    this.#drop()
    switch (verdict.kind) {
      case 'lost':
        await this.#refresh()
        return
      case 'over_quota':
        await quota.refresh(owner_id, day)
        return
      case 'key_taken':
        // Another instance answered one of these requests first.
        return this.#fail(batch, new KeyTaken())
      case 'unknown':
        for (const { queued, outcome } of done) queued.tried.set(verdict.turn_id, outcome)
        return pause()
      case 'failed':
        this.#fail(batch, verdict.error)
    }
  }

  /** A fault of one write must not be the others': they are tried again, each in a turn of its own. */
  #fail(batch: QueuedWrite[], error: unknown): void {
    const open = batch.filter(queued => !queued.answered)
    const [only] = open
    if (only && open.length === 1) only.refuse(error)
    else for (const queued of open) queued.alone = true
  }

  /**
   * Answers writes of which an earlier attempt turns out to be in the log. True where there was one. Looks after
   * the log has been read: an attempt that lands later makes the turn's own append fail.
   */
  async #answerLanded(batch: QueuedWrite[]): Promise<boolean> {
    const ids = batch.flatMap(({ tried }) => [...tried.keys()])
    if (ids.length === 0) return false
    await this.#refresh()
    const rows = await this.#deps.sql<{ turn_id: string }[]>`
      select turn_id from document_updates where channel_id = ${this.channel_id} and turn_id = any(${ids}::uuid[])`
    for (const { turn_id } of rows) {
      for (const queued of batch) {
        const outcome = queued.tried.get(turn_id)
        if (outcome) queued.done(outcome)
      }
    }
    if (rows.length > 0) await this.#refresh()
    return rows.length > 0
  }

  /** The one way in which committed updates reach viewers, in the log's order. */
  #advance(clock: number, update: Uint8Array, head: DocumentHead): void {
    this.recent.push(this.#head?.clock ?? 0, clock, update)
    this.#head = head
    this.fanOut.publish(update, clock)
    for (const listener of this.#listeners) listener()
    this.#tail.updates++
    this.#tail.bytes += update.length
  }

  /** After a turn of this instance: one who writes takes them, not everyone who watches. */
  #snapshotWhenDue(): void {
    const limit = Math.max(this.#tail.snapshot_bytes, SNAPSHOT_BYTES_MIN)
    if (this.#tail.updates >= SNAPSHOT_UPDATES || this.#tail.bytes > limit) this.#takeSnapshot()
  }

  /** A document of the usual size is encoded between two turns, in a millisecond or two; a large one elsewhere. */
  #takeSnapshot(): void {
    const now = this.#deps.now()
    if (now < this.#nextSnapshot) return
    this.#nextSnapshot = now + SNAPSHOT_PAUSE_MS
    if (!this.#live || this.#tail.snapshot_bytes > SNAPSHOT_HERE_MAX_BYTES) return this.#askSnapshot()
    this.#between(async () => {
      if (!this.#live || !this.#head) return
      const state = this.#live.encode()
      this.#tail = { updates: 0, bytes: 0, snapshot_bytes: state.length }
      writeSnapshot(this.#deps.sql, this.channel_id, this.#head, state).catch(error => {
        this.#deps.log.warn({ err: error, channel_id: this.channel_id }, 'no snapshot')
      })
    }).catch(() => {})
  }

  #askSnapshot(): void {
    this.#deps.snapshots.ask(this.channel_id, ({ seq, bytes }) => {
      this.#tail = { updates: Math.max(0, (this.#head?.seq ?? seq) - seq), bytes: 0, snapshot_bytes: bytes }
    })
  }

  /** The live document at the log's end, loaded if it is not in memory. */
  async #load(): Promise<{ live: LiveDocument; head: DocumentHead }> {
    for (;;) {
      if (this.#live && this.#head) return { live: this.#live, head: this.#head }
      const stored = await readDocument(this.#deps.sql, this.channel_id)
      if (!stored) {
        this.delete()
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
      this.#used = this.#deps.now()
      const bytes = updates.reduce((sum, { length }) => sum + length, 0)
      this.#tail = { updates: head.seq - snapshot_seq, bytes: bytes - snapshot_bytes, snapshot_bytes }
    }
  }

  async #refresh(): Promise<DocumentHead | null> {
    for (;;) {
      const stored = await readHead(this.#deps.sql, this.channel_id)
      if (!stored) {
        this.delete()
        return null
      }
      if (await this.#follow(stored)) return stored
    }
  }

  /** Shows what the log has up to `stored`, which was just read. False where the document began anew instead. */
  async #follow(stored: DocumentHead): Promise<boolean> {
    const { sql, generation } = this.#deps
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
        for (const { seq, clock, update } of tail) this.#advance(clock, update, { ...known, seq, clock })
        this.#deps.followed('log', tail.length)
      } else {
        // The log no longer reaches back to what viewers here have: they ask again.
        this.#leap(stored, CLOSE_BEHIND, 'behind the log')
      }
    }
    this.#head = stored
    return true
  }

  #leap(to: DocumentHead, code: number, reason: string): void {
    this.#drop()
    this.recent.clear()
    this.#head = to
    for (const viewer of this.fanOut.viewers) viewer.close(code, reason)
    for (const listener of this.#listeners) listener()
  }

  #drop(): void {
    this.#live?.destroy()
    this.#live = null
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

/** Where requests about the turn's deleted cards were sent, in both route families. */
function pathsOfDeleted(turn: Turn): string[] {
  return [...turn.rows.values()].flatMap(({ card, is }) => {
    if (is !== 'deleted') return []
    const ends = [card.id, ...(card.key === undefined ? [] : [`by-key/${encodeURIComponent(card.key)}`])]
    return ends.flatMap(end =>
      ['/api/v1', '/api'].map(base => `${base}/channels/${card.channel_id}/cards/${end}`),
    )
  })
}

function rowsOf(turn: Turn): Pick<TurnRecord, 'inserted' | 'changed' | 'deleted'> {
  const rows = [...turn.rows.values()]
  return {
    inserted: rows.filter(({ is }) => is === 'new').map(({ card }) => card),
    changed: rows.filter(({ is }) => is === 'changed').map(({ card }) => card),
    deleted: rows.filter(({ is }) => is === 'deleted').map(({ card }) => card.id),
  }
}

/** The quota that other channels used meanwhile is not left. */
function spentBesides(outcome: Outcome, others: number): Outcome {
  if (outcome.kind !== 'inserted' || outcome.remaining === null) return outcome
  return { ...outcome, remaining: Math.max(0, outcome.remaining - others) }
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, RETRY_MS))
}
