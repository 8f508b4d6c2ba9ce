// One channel's document on this instance. `exclusive` gives it to one piece of work at a time, which may load and change
// it. Everything else here works at any time, even during a turn.
import { type DocumentDeps, type DocumentListener, HeldDocument } from './held-document.ts'
import type { RecentUpdates } from './recent-updates.ts'

/** What may be read without holding the document: nothing here runs ahead of the log. */
type CommittedDocument = Readonly<
  Pick<HeldDocument, 'channel_id' | 'log_head' | 'knows' | 'unconfirmed' | 'confirm' | 'used'>
> & { readonly recent: Pick<RecentUpdates, 'since'> }

/** Those who see the channel live. They hear of committed changes only. */
export type DocumentViewers = Pick<DocumentListener, 'publish' | 'startOver'> & { readonly present: boolean }

export class ChannelDocument {
  readonly committed: CommittedDocument
  readonly #held: HeldDocument
  readonly #viewers: DocumentViewers
  readonly #listeners = new Set<() => void>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(channel_id: string, deps: DocumentDeps, viewers: DocumentViewers, on_deleted: () => void) {
    this.#viewers = viewers
    this.#held = new HeldDocument(channel_id, deps, {
      publish: (update, clock) => {
        viewers.publish(update, clock)
        this.#tellListeners()
      },
      startOver: (code, reason) => {
        viewers.startOver(code, reason)
        this.#tellListeners()
      },
      found: () => this.#tellListeners(),
      deleted: on_deleted,
    })
    this.committed = this.#held
  }

  /** Runs `work` after all earlier work. Only then may it use `held`. */
  exclusive<T>(work: (held: HeldDocument) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => work(this.#held))
    // Without the result, which may be a whole document.
    this.#last = done.then(
      () => {},
      () => {},
    )
    return done
  }

  get loaded(): boolean {
    return this.#held.live !== null
  }

  /** Whether the live document has the card, even if its turn isn't committed yet. */
  holds(card_id: string): boolean {
    return this.#held.live?.has(card_id) ?? false
  }

  get watched(): boolean {
    return this.#viewers.present || this.listened
  }

  /** A request waits for the log's growth. */
  get listened(): boolean {
    return this.#listeners.size > 0
  }

  /** `listener` runs whenever `log_head` changes, also when it becomes known or null. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get memory(): number {
    return (this.#held.live?.memory ?? 0) + this.#held.recent.bytes
  }

  /** Frees what wasn't needed since `since` (monotonic). The live document stays, as bytes. */
  freeUnused(since: number): void {
    this.#held.live?.freeUnused(since)
    this.#held.recent.clearIfIdle(since)
  }

  /** Frees memory. Viewers are then served from the log. */
  unload(): void {
    const { live, recent, schedule } = this.#held
    recent.clear()
    if (!live || schedule.taking) return
    if (schedule.dueAtLast) void this.#takeSnapshot(held => held.discardLive())
    else this.exclusive(async held => held.discardLive()).catch(() => {})
  }

  takeSnapshotIfDue(): void {
    if (this.#held.schedule.due) void this.#takeSnapshot()
  }

  /** Before the service stops, so that the next load is short. */
  async takeLastSnapshot(): Promise<void> {
    if (this.#held.live && this.#held.schedule.dueAtLast) await this.#takeSnapshot()
  }

  /** At once, even during a turn: viewers must leave. */
  close(): void {
    this.#held.close()
  }

  async #takeSnapshot(encoded: (held: HeldDocument) => void = () => {}): Promise<void> {
    const { schedule, live } = this.#held
    if (!schedule.fitsEventLoop(live?.bytes ?? 0)) {
      schedule.takeInWorker(() => this.#held.log_head?.seq)
      return this.exclusive(async held => encoded(held))
    }
    await schedule.take(() =>
      this.exclusive(async held => {
        const { live, log_head } = held
        const snapshot = live && log_head && { state: live.encode(), head: log_head }
        encoded(held)
        return snapshot
      }),
    )
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener()
  }
}
