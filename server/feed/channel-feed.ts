// One channel on this instance: its writes, one turn after another, and its viewers.
// What viewers get is committed, always: the live document may be ahead of it during a turn, and is thrown
// away when a commit fails.
import type { Logger } from 'pino'
import type { PlacedCard } from '../../shared/card.ts'
import { findCard } from '../../shared/channel-doc.ts'
import type { FirstCards } from '../../shared/first-cards.ts'
import type { Grown } from '../bus/bus.ts'
import type { Sql } from '../database/connect.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { notFound } from '../errors.ts'
import { utcDay } from '../rate-limit.ts'
import type { CommitLoop, Verdict } from './commit.ts'
import { DueSnapshots } from './due-snapshots.ts'
import { EVENTS_KEPT_MS } from './events.ts'
import type { FanOut } from './fan-out.ts'
import { FollowedDocument } from './followed-document.ts'
import type { History } from './history.ts'
import { KeyTaken } from './idempotency.ts'
import type { LiveDocument } from './live-document.ts'
import { type DocumentHead, type LogPlace, readHead } from './log.ts'
import { isBehind, prefetch } from './prefetch.ts'
import type { CardQuota } from './quota.ts'
import type { RecentUpdates } from './recent-updates.ts'
import type { Snapshots } from './snapshots.ts'
import type { Outcome } from './turn.ts'
import { type AppliedBatch, applyBatch, type BatchSetting } from './turn-batch.ts'
import type { TurnRecord } from './turn-record.ts'
import { type QueuedWrite, WriteQueue, type WriteRequest } from './write-queue.ts'

export type FeedDeps = {
  sql: Sql
  commits: CommitLoop
  quota: CardQuota
  snapshots: Snapshots
  log: Logger
  /** Documents of an older generation than its own begin a new epoch. */
  history: History
  /** The wall clock, for times that are stored or shown. */
  now: () => number
  /** A turn is durable: other instances should hear of it. */
  committed: (grown: Grown) => void
  /** Turns of other instances were shown here, as the bus brought them or as the log has them. */
  followed: (source: 'bus' | 'log', turns: number) => void
}

const RETRY_MS = 100
/** Without a write for so long, the live document leaves memory, watched or not. */
const IDLE_MS = 15_000

export class ChannelFeed {
  readonly channel_id: string
  readonly #deps: FeedDeps
  readonly #document: FollowedDocument
  readonly #snapshots: DueSnapshots
  readonly #queue = new WriteQueue()
  #scheduled = false
  /** Who waits until all writes are answered. */
  #settling: (() => void)[] = []
  #chain: Promise<unknown> = Promise.resolve()
  #used: number
  #deleted = false

  constructor(channel_id: string, deps: FeedDeps) {
    this.channel_id = channel_id
    this.#deps = deps
    this.#snapshots = new DueSnapshots(channel_id, deps)
    this.#document = new FollowedDocument(channel_id, deps, this.#snapshots, () => this.delete())
    this.#used = performance.now()
  }

  get fanOut(): FanOut {
    return this.#document.fanOut
  }

  get recent(): RecentUpdates {
    return this.#document.recent
  }

  /** The committed document's place in the log, or null while it is not known here. */
  get head(): DocumentHead | null {
    return this.#document.head
  }

  /** True where the live document is in memory and has the card: then no query need ask for it. */
  holds(card_id: string): boolean {
    const { live } = this.#document
    return live !== null && findCard(live.doc, card_id) !== undefined
  }

  /** Queues a write for the channel's next turn. Resolves when it is durable. */
  write(request: WriteRequest): Promise<Outcome> {
    if (this.#deleted) return Promise.reject(notFound('Channel'))
    const outcome = this.#queue.push(request)
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

  /** Its newest cards, committed and at most a little behind. 404 where it is gone. */
  async firstCards(): Promise<FirstCards> {
    const first = await this.#between(async () => (await this.#load()).live.firstCards())
    if (!first) throw notFound('Channel')
    return first
  }

  /** From now on turns are logged with their events, for a day; renewed in the second half of it. */
  async keepEvents(owner_id: string): Promise<void> {
    const head = this.head ?? (await this.refresh())
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
      if (stored) this.#document.keepEventsUntil(stored.events_until)
    })
  }

  /** Calls `listener` whenever the log has grown, until the returned function is called. */
  listen(listener: () => void): () => void {
    return this.#document.listen(listener)
  }

  /** Reads what others appended, and shows it. Returns where the document stands; null: it is deleted. */
  refresh(): Promise<DocumentHead | null> {
    return this.#between(() => this.#document.refresh())
  }

  /** Whether someone follows the channel here who hasn't been sure since `since` that nothing is missing. */
  unconfirmed(since: number): boolean {
    const { watched, head, confirmed_at } = this.#document
    return watched && head !== null && confirmed_at < since
  }

  /** The log ended at `place` at `read_at`: if that isn't what is known here, the log is followed. */
  looked(place: LogPlace, read_at: number): void {
    if (!this.head || this.#document.confirm(place, read_at)) return
    this.refresh().catch(error => this.#deps.log.warn({ err: error }, 'could not follow the log'))
  }

  /** The log has grown: another instance says so, with what it wrote. */
  heard(grown: Pick<Grown, 'epoch' | 'seq' | 'turn'>): void {
    if (this.#document.knows(grown.epoch, grown.seq)) return
    // In line behind a document that is being read, and many notices may wait for one look at the log.
    this.#between(() => this.#document.hear(grown)).catch(error =>
      this.#deps.log.warn({ err: error }, 'could not follow the log'),
    )
  }

  /** Does nothing until `until` is settled. Resolves when what was begun before is done. */
  hold(until: Promise<void>): Promise<void> {
    return new Promise(held => {
      this.#between(() => {
        held()
        return until
      })
    })
  }

  /** The channel is gone: viewers and waiting writers are told. */
  delete(): void {
    this.#deleted = true
    this.#document.delete()
    this.#queue.refuseAll(notFound('Channel'))
  }

  /** The database may lack what is known here: viewers start over, on what it has. */
  historyLost(): Promise<void> {
    return this.#between(async () => this.#document.historyLost())
  }

  /** Once a second. Returns true when nothing needs this feed any more. `now` is monotonic. */
  check(now: number): boolean {
    this.fanOut.check(now)
    if (now - this.#used < IDLE_MS || this.#queue.length > 0 || this.#scheduled) return this.#deleted
    if (this.#document.live) this.rest()
    return !this.#document.watched
  }

  /** About how many bytes of memory the live document and the updates beside it take. */
  get memory(): number {
    return (this.#document.live?.memory(this.#snapshots.document_bytes) ?? 0) + this.recent.bytes
  }

  /** When the live document was last loaded or written, as `performance.now()`. */
  get used(): number {
    return this.#used
  }

  /** Lets the live document and the recent updates leave memory: what viewers need is in the log. */
  rest(): void {
    this.recent.clear()
    if (!this.#document.live) return
    if (this.#snapshots.worthwhile) this.#takeSnapshot()
    this.#between(async () => this.#document.drop()).catch(() => {})
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
        this.#used = performance.now()
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
    if (batch.length === 0) return
    try {
      await this.#tryTurn(batch)
    } catch (error) {
      this.#document.drop()
      if (isUnavailable(error)) await pause()
      else this.#fail(batch, error)
    }
    if (this.#deleted) for (const queued of batch) if (!queued.answered) queued.refuse(notFound('Channel'))
    this.#queue.putBack(batch)
  }

  async #tryTurn(batch: QueuedWrite[]): Promise<void> {
    const { sql, quota, commits } = this.#deps
    await this.#load()
    if (await this.#answerLanded(batch)) return
    const { live, head } = this.#document
    // What was read between the two may hold an attempt that nobody looked for.
    if (!live || !head) return
    const prefetched = await prefetch(
      sql,
      live,
      batch.map(({ request }) => request.write),
    )
    if (isBehind(live, prefetched.cards) && (await this.#document.refresh())?.seq !== head.seq) return
    const setting = await this.#setting(head, batch)
    const applied = applyBatch(live, prefetched, batch, setting)
    if (!applied.record) {
      // Nothing will be appended, so nothing tells whether this instance knew all: only the log does.
      if ((await this.#document.refresh())?.seq !== head.seq) return
      for (const { queued, outcome } of applied.done) queued.done(outcome)
      return this.#refuse(applied)
    }
    const verdict = await commits.commit(applied.record, this.#queue.patience(batch))
    if (verdict.kind !== 'committed') return this.#retreat(verdict, batch, applied, setting)
    this.#publish(head, applied.record)
    const { owner_id, day } = setting
    if (verdict.used !== null) quota.learn(owner_id, day, verdict.used)
    const others = (setting.quota.left ?? 0) - applied.spent - (quota.remaining(owner_id, day) ?? 0)
    for (const { queued, outcome } of applied.done) queued.done(spentBesides(outcome, others))
    return this.#refuse(applied)
  }

  async #setting(head: DocumentHead, batch: QueuedWrite[]): Promise<BatchSetting> {
    const { quota } = this.#deps
    const now = this.#deps.now()
    const day = utcDay(now)
    const owner_id = batch[0]?.request.owner_id ?? ''
    const counts = ({ request: { write } }: QueuedWrite) => write.kind === 'insert' || write.kind === 'upsert'
    if (batch.some(counts)) await quota.open(owner_id, day)
    const { settled: history } = this.#deps.history
    return {
      head,
      history,
      owner_id,
      now,
      day,
      quota: { limit: quota.limit, left: quota.remaining(owner_id, day) },
    }
  }

  /** The turn is durable: it is shown here, and other instances are told. */
  #publish(head: DocumentHead, { update, clock, next_position, card_count, also }: TurnRecord): void {
    const seq = head.seq + 1
    this.#document.advance(update, { ...head, seq, clock, next_position, card_count })
    // One who writes takes the snapshots, not everyone who watches.
    if (this.#snapshots.due) this.#takeSnapshot()
    // What else a turn's transaction wrote, the head's row among it, others must read.
    const turn = also.length === 0 ? { clock, next_position, card_count, update } : undefined
    this.#deps.committed({ kind: 'grown', channel_id: this.channel_id, epoch: head.epoch, seq, turn })
  }

  async #refuse({ refused }: AppliedBatch): Promise<void> {
    // A write that was tried before may be refused because of what it did itself.
    await this.#answerLanded(refused.map(({ queued }) => queued))
    for (const { queued, error } of refused) if (!queued.answered) queued.refuse(error)
  }

  /** The turn did not get in, or nobody knows: the live document is thrown away, and its writes wait again. */
  async #retreat(
    verdict: Exclude<Verdict, { kind: 'committed' }>,
    batch: QueuedWrite[],
    { done }: AppliedBatch,
    { owner_id, day }: BatchSetting,
  ): Promise<void> {
    this.#document.drop()
    switch (verdict.kind) {
      case 'lost':
        await this.#document.refresh()
        return
      case 'history':
        return this.#deps.history.check()
      case 'over_quota':
        await this.#deps.quota.refresh(owner_id, day)
        return
      case 'key_taken':
        // Another instance answered one of these requests first.
        return this.#fail(batch, new KeyTaken())
      case 'unknown':
        for (const { queued, outcome } of done) queued.tried.set(verdict.turn_id, outcome)
        return pause()
      case 'unavailable':
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
    await this.#document.refresh()
    const rows = await this.#deps.sql<{ turn_id: string }[]>`
      select turn_id from document_updates where channel_id = ${this.channel_id} and turn_id = any(${ids}::uuid[])`
    for (const { turn_id } of rows) {
      for (const queued of batch) {
        const outcome = queued.tried.get(turn_id)
        if (outcome) queued.done(outcome)
      }
    }
    if (rows.length > 0) await this.#document.refresh()
    return rows.length > 0
  }

  #takeSnapshot(): void {
    if (!this.#snapshots.fitsHere || !this.#document.live)
      return this.#snapshots.takeElsewhere(() => this.head?.seq)
    this.#between(async () => {
      const { live, head } = this.#document
      if (live && head) this.#snapshots.takeHere(live, head)
    }).catch(() => {})
  }

  async #load(): Promise<{ live: LiveDocument; head: DocumentHead }> {
    if (!this.#document.live) this.#used = performance.now()
    return this.#document.load()
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
