// Writes the events of one stream: what is new in the channel's log and among its interactions, in order, with comments
// that keep the connection open.
import type { SSEStreamingApi } from 'hono/streaming'
import type { Sql } from '../database/connect.ts'
import type { ChannelFeed } from '../feed/channel-feed.ts'
import { readEvents } from '../feed/events.ts'
import { interactionsAfter, withoutNumber } from '../model/interactions.ts'
import { type EventPosition, latestPosition, writePosition } from './event-position.ts'
import type { EventStream } from './event-streams.ts'

/** How many are read at once, and held until the client has taken them: each may have hundreds of kilobytes. */
const BATCH = 32

export class EventWriter {
  readonly #sql: Sql
  readonly #out: SSEStreamingApi
  readonly #stream: EventStream
  readonly #feed: ChannelFeed
  #position: EventPosition

  constructor(
    sql: Sql,
    out: SSEStreamingApi,
    stream: EventStream,
    feed: ChannelFeed,
    position: EventPosition,
  ) {
    this.#sql = sql
    this.#out = out
    this.#stream = stream
    this.#feed = feed
    this.#position = position
  }

  /** Writes until the stream ends. `comment_ms`: a comment follows after so long without one. */
  async run(owner_id: string, reset: boolean, comment_ms: number): Promise<void> {
    await this.#out.write(': connected\n\n')
    if (reset) await this.#writeReset()
    let comment_at = performance.now() + comment_ms
    while (!this.#stream.ended) {
      // Renewed on every round: the log keeps events only for a while after each call.
      await this.#feed.keepEvents(owner_id)
      if (!(await this.#writeNew())) {
        this.#position = await latestPosition(this.#sql, this.#feed)
        await this.#writeReset()
        continue
      }
      await this.#stream.wait(Math.max(0, comment_at - performance.now()))
      // Events don't postpone comments: many wake-ups write nothing, and the connection would stay silent.
      if (this.#stream.ended || performance.now() < comment_at) continue
      await this.#out.write(': keep-alive\n\n')
      comment_at = performance.now() + comment_ms
    }
  }

  async #writeReset(): Promise<void> {
    await this.#out.writeSSE({ event: 'reset', id: writePosition(this.#position), data: '{}' })
  }

  /** Writes everything after the position; false if the log no longer reaches back to it. */
  async #writeNew(): Promise<boolean> {
    const feed = this.#feed
    let head = feed.head
    // Another instance may have sent the client events that this instance hasn't received yet.
    if (!head || this.#position.seq > head.seq) head = await feed.refresh()
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
        for (const [index, event] of events.entries()) {
          if (index <= skip) continue
          if (this.#stream.ended) return true
          const whole = index === events.length - 1
          await this.#write(event.type, event.data, { seq, index: whole ? -1 : index })
        }
        this.#position = { ...this.#position, seq, index: -1 }
      }
    }
    return true
  }

  async #writeInteractions(): Promise<void> {
    for (let full = true; full && !this.#stream.ended; ) {
      const { number } = this.#position
      const interactions = await interactionsAfter(this.#sql, this.#feed.channel_id, number, BATCH)
      for (const interaction of interactions) {
        if (this.#stream.ended) return
        const { number } = interaction
        await this.#write('interaction.created', withoutNumber(interaction), { number })
      }
      full = interactions.length === BATCH
    }
  }

  async #write(event: string, data: unknown, progress: Partial<EventPosition>): Promise<void> {
    this.#position = { ...this.#position, ...progress }
    await this.#out.writeSSE({ event, id: writePosition(this.#position), data: JSON.stringify(data) })
  }
}
