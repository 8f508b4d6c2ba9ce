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

type Parts = { sql: Sql; out: SSEStreamingApi; stream: EventStream; feed: ChannelFeed }
type Options = {
  start: EventPosition
  reset: boolean
  owner_id: string
  public_url: string
  comment_ms: number
}

/** Writes until the stream ends, and a comment every `comment_ms`. */
export async function writeEvents({ sql, out, stream, feed }: Parts, options: Options): Promise<void> {
  const { start, reset, owner_id, public_url, comment_ms } = options
  let position = start

  async function write(event: string, data: unknown, progress: Partial<EventPosition> = {}): Promise<void> {
    position = { ...position, ...progress }
    await out.writeSSE({ event, id: writePosition(position), data: JSON.stringify(data) })
  }

  /** Writes everything after the position. Returns false if the log no longer reaches back to it. */
  async function writeNew(): Promise<boolean> {
    let { head } = feed
    // Another instance may have sent the client events that this instance hasn't received yet.
    if (!head || position.seq > head.seq) head = await feed.refresh()
    if (!head || head.epoch !== position.epoch || position.seq > head.seq) return false
    if (!(await writeTurns(head))) return false
    await writeInteractions()
    return true
  }

  async function writeTurns(head: { epoch: number; seq: number }): Promise<boolean> {
    while (!stream.ended && (position.seq < head.seq || position.index !== -1)) {
      const { seq: at, index: done } = position
      const from = done === -1 ? at + 1 : at
      const last = Math.min(head.seq, from + BATCH - 1)
      const turns = await readEvents(sql, feed.channel_id, { epoch: head.epoch, from, last })
      if (!turns) return false
      for (const { seq, events } of turns) {
        const skip = seq === at ? done : -1
        for (const [index, { type, data }] of events.entries()) {
          if (index <= skip) continue
          if (stream.ended) return true
          await write(type, data, { seq, index: index === events.length - 1 ? -1 : index })
        }
        position = { ...position, seq, index: -1 }
      }
    }
    return true
  }

  async function writeInteractions(): Promise<void> {
    for (let full = true; full && !stream.ended; ) {
      const interactions = await interactionsAfter(sql, feed.channel_id, position.number, BATCH, public_url)
      for (const interaction of interactions) {
        if (stream.ended) return
        const { number } = interaction
        await write('interaction.created', withoutNumber(interaction), { number })
      }
      full = interactions.length === BATCH
    }
  }

  // With the id, a client that gets disconnected before its first event can resume too. A reset has an id of its own: a
  // client must not skip it.
  await out.write(reset ? ': connected\n\n' : `: connected\nid: ${writePosition(start)}\n\n`)
  if (reset) await write('reset', {})
  let comment_at = performance.now() + comment_ms
  while (!stream.ended) {
    // Each call makes the log keep events for a while.
    await feed.keepEvents(owner_id)
    if (!(await writeNew())) {
      position = await latestPosition(sql, feed)
      await write('reset', {})
      continue
    }
    await stream.wait(Math.max(0, comment_at - performance.now()))
    // Events don't postpone comments: many wake-ups write nothing, and the connection would stay silent.
    if (stream.ended || performance.now() < comment_at) continue
    await out.write(': keep-alive\n\n')
    comment_at = performance.now() + comment_ms
  }
}
