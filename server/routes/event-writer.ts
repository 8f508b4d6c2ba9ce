// Writes one event stream: the channel's new events and interactions, in order, and comments that keep it open.
import type { SSEStreamingApi } from 'hono/streaming'
import { receiverOf, type UnreadBytes } from '../auth/unread-bytes.ts'
import type { Sql } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import type { OpenChannel } from '../feed/open-channel.ts'
import type { Batch, EncodedTurn, EventBatches } from './event-batches.ts'
import { type EventPosition, latestPosition, writePosition } from './event-position.ts'
import type { EventStream } from './event-streams.ts'

/** A stream waits so long before it tries again, if its account has too many unread bytes. */
const FULL_MS = 1_000
/** A larger event is written in two parts, so that its data isn't copied. */
const COPIED_MAX_BYTES = 16 * 1024

type Parts = {
  sql: Sql
  out: SSEStreamingApi
  stream: EventStream
  feed: OpenChannel
  batches: EventBatches
  unread: UnreadBytes
}
type Options = {
  start: EventPosition
  reset: boolean
  owner_id: string
  comment_ms: number
}

/** Writes until the stream ends, and a comment every `comment_ms`. */
export async function writeEvents(parts: Parts, options: Options): Promise<void> {
  const { sql, out, stream, feed, batches, unread } = parts
  const { start, reset, owner_id, comment_ms } = options
  let position = start

  async function write(type: string, data: Buffer, progress: Partial<EventPosition> = {}): Promise<void> {
    position = { ...position, ...progress }
    const head = Buffer.from(`event: ${type}\nid: ${writePosition(position)}\n`)
    if (data.length <= COPIED_MAX_BYTES) return void (await out.write(Buffer.concat([head, data])))
    await out.write(head)
    await out.write(data)
  }

  /** Counts the batch while `work` writes it. If the account has too many unread bytes, the stream waits instead. */
  async function whileCounted<T>(batch: Batch<T>, work: () => Promise<void>): Promise<void> {
    const free = takeRoom(unread, receiverOf(owner_id, ''), batch)
    if (!free) return stream.wait(FULL_MS)
    await work().finally(free)
  }

  /** Writes everything after the position. Returns false if the log no longer reaches back to it. */
  async function writeNew(): Promise<boolean> {
    let { log_head } = feed
    // Another instance may have sent the client events that this instance hasn't received yet.
    if (!log_head || position.seq > log_head.seq) log_head = await feed.refresh()
    if (!log_head || log_head.epoch !== position.epoch || position.seq > log_head.seq) return false
    if (!(await writeTurns(log_head))) return false
    await writeInteractions()
    return true
  }

  async function writeTurns({ epoch, seq: last }: { epoch: number; seq: number }): Promise<boolean> {
    while (!stream.ended && (position.seq < last || position.index !== -1)) {
      const from = position.index === -1 ? position.seq + 1 : position.seq
      const known = await batches.turns(feed.channel_id, { epoch, from, last }, async batch => {
        if (batch) await whileCounted(batch, () => writeBatch(batch))
        return batch !== null
      })
      if (!known) return false
    }
    return true
  }

  async function writeBatch({ items }: Batch<EncodedTurn>): Promise<void> {
    const { seq: at, index: done } = position
    for (const { seq, events } of items) {
      const skip = seq === at ? done : -1
      for (const [index, { type, data }] of events.entries()) {
        if (index <= skip) continue
        if (stream.ended) return
        await write(type, data, { seq, index: index === events.length - 1 ? -1 : index })
      }
      position = { ...position, seq, index: -1 }
    }
  }

  async function writeInteractions(): Promise<void> {
    for (let more = true; more && !stream.ended; ) {
      more = await batches.interactions(feed.channel_id, position.number, async (batch, fresh) => {
        // Another stream may have looked before the last interaction was logged.
        if (batch.items.length === 0) return !fresh
        await whileCounted(batch, async () => {
          for (const { number, type, data } of batch.items)
            if (!stream.ended) await write(type, data, { number })
        })
        return true
      })
    }
  }

  // With the id, a client that gets disconnected before its first event can resume too. A reset has an id of its own: a
  // client must not skip it.
  await out.write(reset ? ': connected\n\n' : `: connected\nid: ${writePosition(start)}\n\n`)
  if (reset) await write('reset', NO_DATA)
  let comment_at = performance.now() + comment_ms
  while (!stream.ended) {
    // Each call makes the log keep events for a while.
    await feed.keepEvents(owner_id)
    if (!(await writeNew())) {
      position = await latestPosition(sql, feed)
      await write('reset', NO_DATA)
      continue
    }
    await stream.wait(Math.max(0, comment_at - performance.now()))
    // Events don't postpone comments: many wake-ups write nothing, and the connection would stay silent.
    if (stream.ended || performance.now() < comment_at) continue
    await out.write(': keep-alive\n\n')
    comment_at = performance.now() + comment_ms
  }
}

const NO_DATA = Buffer.from('data: {}\n\n')

/** Null if the receiver has too many unread bytes. */
function takeRoom(
  unread: UnreadBytes,
  receiver: string,
  { bytes, ...batch }: Batch<unknown>,
): (() => void) | null {
  try {
    return unread.take(receiver, batch.items, bytes)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
