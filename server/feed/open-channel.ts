// One open channel on this instance: reading it, and when it leaves memory. Readers get committed state only.
import type { PlacedCard } from '../../shared/card.ts'
import type { FirstCards } from '../../shared/first-cards.ts'
import type { GrownNotice } from '../bus/bus.ts'
import { notFound } from '../errors.ts'
import type { LiveDocument } from './document/live-document.ts'
import { ChannelDocument, type DocumentViewers } from './log/channel-document.ts'
import { EVENTS_KEPT_MS } from './log/events.ts'
import type { HeldDocument } from './log/held-document.ts'
import type { LogEnd, LogHead } from './log/log.ts'
import { ChannelWriter, type WriterDeps } from './turn/channel-writer.ts'

/** Recent updates leave memory after this time without a turn, and a document's contents after this time without use. */
const BUSY_MS = 2_000
/** The live document leaves memory after this time without a mutation, even if it has viewers. */
const IDLE_MS = 15_000

export class OpenChannel {
  readonly channel_id: string
  readonly document: ChannelDocument
  readonly writer: ChannelWriter
  readonly #deps: WriterDeps

  constructor(channel_id: string, deps: WriterDeps, viewers: DocumentViewers) {
    this.channel_id = channel_id
    this.#deps = deps
    this.document = new ChannelDocument(channel_id, deps, viewers, () => this.close())
    this.writer = new ChannelWriter(this.document, deps)
  }

  /** The channel was deleted. */
  get closed(): boolean {
    return this.writer.closed
  }

  /** See `ChannelDocument.listen`. */
  listen(listener: () => void): () => void {
    return this.document.listen(listener)
  }

  get log_head(): LogHead | null {
    return this.document.committed.log_head
  }

  state(): Promise<{ update: Uint8Array<ArrayBuffer>; epoch: number; clock: number }> {
    return this.#read((live, { epoch, clock }) => ({ update: live.encode(), epoch, clock }))
  }

  /** The live document's place in the log, and the first of its pages; older ones are archived. */
  place(): Promise<{ oldest_page: number; seq: number; epoch: number }> {
    return this.#read(({ oldest_page }, { seq, epoch }) => ({ oldest_page, seq, epoch }))
  }

  /** A live page's cards, and the seq at which they were read; null for an archived page. */
  livePage(page: number): Promise<{ cards: PlacedCard[]; seq: number; epoch: number } | null> {
    return this.#read((live, { seq, epoch }) => {
      const cards = live.page(page)
      return cards && { cards, seq, epoch }
    })
  }

  async firstCards(): Promise<FirstCards> {
    const first = await this.#read(live => live.firstCards())
    if (!first) throw notFound('Channel')
    return first
  }

  #read<T>(read: (live: LiveDocument, log_head: LogHead) => T): Promise<T> {
    return this.document.exclusive(async held => {
      const { live, log_head } = await held.load()
      return read(live, log_head)
    })
  }

  /** Makes the log keep events for a day, unless it keeps them for another half day already. */
  async keepEvents(owner_id: string): Promise<void> {
    const log_head = this.log_head ?? (await this.refresh())
    const now = this.#deps.now()
    if (!log_head) throw notFound('Channel')
    if (log_head.events_until !== null && Date.parse(log_head.events_until) > now + EVENTS_KEPT_MS / 2) return
    const until = new Date(now + EVENTS_KEPT_MS).toISOString()
    await this.writer.write({
      // The turn makes other instances read the document's row before they append again.
      mutation: { kind: 'head', change: () => ({}) },
      owner_id,
      also: async tx => {
        await tx`update documents set events_until = ${until} where channel_id = ${this.channel_id}`
      },
      // At once: the next turn may already wait, and streams of other instances need its events.
      committed: held => held.setEventsUntil(until),
    })
  }

  refresh(): Promise<LogHead | null> {
    return this.document.exclusive(held => held.refresh())
  }

  checkEnd(end: LogEnd, read_at: number): void {
    if (!this.log_head || this.document.committed.confirm(end, read_at)) return
    this.#follow(held => held.refresh())
  }

  receive(notice: Pick<GrownNotice, 'epoch' | 'seq' | 'turn'>): void {
    if (this.document.committed.knows(notice)) return
    // Enqueued while the document is being read, so one read serves many notices.
    this.#follow(held => held.receive(notice))
  }

  #follow(read: (held: HeldDocument) => Promise<unknown>): void {
    this.document
      .exclusive(read)
      .catch(error => this.#deps.log.warn({ err: error }, 'could not follow the log'))
  }

  /** Pauses all work until `until` settles. Resolves when earlier work is done. */
  pause(until: Promise<void>): Promise<void> {
    return new Promise(paused => {
      this.document.exclusive(() => {
        paused()
        return until
      })
    })
  }

  close(): void {
    this.writer.close()
    this.document.close()
  }

  historyLost(): Promise<void> {
    return this.document.exclusive(async held => held.historyLost())
  }

  /** Runs once a second. Returns true if nothing needs this feed any more. `now` is monotonic. */
  check(now: number): boolean {
    this.document.freeUnused(now - BUSY_MS)
    if (now - this.document.committed.used < IDLE_MS || !this.writer.idle) return this.writer.closed
    if (this.document.loaded) this.document.unload()
    return !this.document.watched
  }
}
