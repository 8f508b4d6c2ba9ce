// Writes one event stream: the channel's new events and interactions, in order, and comments that keep it open.
import type { SSEStreamingApi } from 'hono/streaming'
import type { Sql } from '../database/connect.ts'
import type { ChannelFeed } from '../feed/channel-feed.ts'
import { readEvents } from '../feed/events.ts'
import { interactionsAfter, withoutNumber } from '../model/interactions.ts'
import { type EventPosition, latestPosition, writePosition } from './event-position.ts'
import type { EventStream } from './event-streams.ts'

/** Events are read in batches that wait in memory for the client: an event may have hundreds of kilobytes. */
const BATCH = 32

export class EventWriter {
  readonly #sql: Sql
  readonly #out: SSEStreamingApi
  readonly #stream: EventStream
  readonly #feed: ChannelFeed
  #position: EventPosition

  constructor(sql: Sql, out: SSEStreamingApi, stream: EventStream, feed: ChannelFeed, start: EventPosition) {
    this.#sql = sql
    this.#out = out
    this.#stream = stream
    this.#feed = feed
    this.#position = start
  }

  /** Writes until the stream ends, and a comment every `comment_ms`. */
  async run(owner_id: string, reset: boolean, comment_ms: number): Promise<void> {
    await this.#out.write(': connected\n\n')
    if (reset) await this.#write('reset', {})
    let comment_at = performance.now() + comment_ms
    while (!this.#stream.ended) {
      // Each call makes the log keep events for a while.
      await this.#feed.keepEvents(owner_id)
      if (!(await this.#writeNew())) {
        this.#position = await latestPosition(this.#sql, this.#feed)
        await this.#write('reset', {})
        continue
      }
      await this.#stream.wait(Math.max(0, comment_at - performance.now()))
      // Events don't postpone comments: many wake-ups write nothing, and the connection would stay silent.
      if (this.#stream.ended || performance.now() < comment_at) continue
      await this.#out.write(': keep-alive\n\n')
      comment_at = performance.now() + comment_ms
    }
  }

  /** Writes everything after the position. Returns false if the log no longer reaches back to it. */
  async #writeNew(): Promise<boolean> {
    let { head } = this.#feed
    // Another instance may have sent the client events that this instance hasn't received yet.
    if (!head || this.#position.seq > head.seq) head = await this.#feed.refresh()
    if (!head || head.epoch !== this.#position.epoch || this.#position.seq > head.seq) return false
    if (!(await this.#writeTurns(head))) return false
    await this.#writeInteractions()
    return true
  }

  async #writeTurns(head: { epoch: number; seq: number }): Promise<boolean> {
    while (!this.#stream.ended && (this.#position.seq < head.seq || this.#position.index !== -1)) {
      const { seq: at, index: done } = this.#position
      const from = done === -1 ? at + 1 : at
      const last = Math.min(head.seq, from + BATCH - 1)
      const turns = await readEvents(this.#sql, this.#feed.channel_id, { epoch: head.epoch, from, last })
      if (!turns) return false
      for (const { seq, events } of turns) {
        const skip = seq === at ? done : -1
        for (const [index, { type, data }] of events.entries()) {
          if (index <= skip) continue
          if (this.#stream.ended) return true
          await this.#write(type, data, { seq, index: index === events.length - 1 ? -1 : index })
        }
        this.#position = { ...this.#position, seq, index: -1 }
      }
    }
    return true
  }

  async #writeInteractions(): Promise<void> {
    for (let full = true; full && !this.#stream.ended; ) {
      const after = this.#position.number
      const interactions = await interactionsAfter(this.#sql, this.#feed.channel_id, after, BATCH)
      for (const interaction of interactions) {
        if (this.#stream.ended) return
        const { number } = interaction
        await this.#write('interaction.created', withoutNumber(interaction), { number })
      }
      full = interactions.length === BATCH
    }
  }

  async #write(event: string, data: unknown, progress: Partial<EventPosition> = {}): Promise<void> {
    this.#position = { ...this.#position, ...progress }
    await this.#out.writeSSE({ event, id: writePosition(this.#position), data: JSON.stringify(data) })
  }
}
