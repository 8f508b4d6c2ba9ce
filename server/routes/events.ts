// Server-sent events: what happens in a channel, from the log, with resume. A stream ends with its key.
import { Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import { asApiError, notFound } from '../errors.ts'
import type { ChannelFeed } from '../feed/channel-feed.ts'
import { readEvents } from '../feed/events.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { ChannelRegister } from '../model/channels.ts'
import { interactionsAfter, lastInteraction, withoutNumber } from '../model/interactions.ts'
import { EventStream, type EventStreams } from './event-streams.ts'
import { type ChannelEnv, ownChannel, type RequireCaller } from './own-channel.ts'

const COMMENT_MS = 15_000
/** Read in one go, and held in memory until the listener has taken them: each may have hundreds of kilobytes. */
const INTERACTIONS_AT_ONCE = 32
const TURNS_AT_ONCE = 32

/** How far a listener has got: in the log, and among the interactions. `index` -1: the whole turn. */
type Position = { epoch: number; seq: number; index: number; number: number }

export type EventDeps = {
  sql: Sql
  register: ChannelRegister
  feeds: Feeds
  streams: EventStreams
  log: Logger
  /** So often a comment keeps the line open. */
  comment_ms?: number
}

export function eventRoutes(caller: RequireCaller, deps: EventDeps) {
  const { sql, register, feeds, streams, log, comment_ms = COMMENT_MS } = deps
  const routes = new Hono<ChannelEnv>()

  routes.get('/channels/:channelId/events', caller, ownChannel(register), async c => {
    const channel = c.get('channel')
    c.header('X-Accel-Buffering', 'no')
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    const stream = new EventStream(channel.id, c.get('key'), c.env.outgoing)
    const feed = feeds.get(channel.id)
    // Before anything is waited for: a feed that nobody listens to may be let go.
    streams.add(stream)
    const unlisten = feed.listen(stream.ring)
    const close = () => {
      stream.end()
      streams.remove(stream)
      unlisten()
    }
    try {
      // Its key may have been deleted after it was checked, and before the stream was there to be ended.
      await streams.judge(sql, [stream])
      await feed.keepEvents(channel.owner_id)
      const present = await presentPosition(sql, feed)
      const asked = c.req.header('Last-Event-ID')
      return streamSSE(c, async out => {
        // Hono just said no-cache, which lets others keep what they check again.
        c.header('Cache-Control', 'no-store')
        out.onAbort(stream.end)
        try {
          await out.write(': connected\n\n')
          await tell(out, stream, feed, channel.owner_id, startOf(asked, present))
        } catch (error) {
          // Whoever listens comes back with the last id it has.
          if (!asApiError(error))
            log.warn({ err: error, channel_id: channel.id }, 'an event stream broke off')
        } finally {
          close()
        }
      })
    } catch (error) {
      close()
      throw error
    }
  })

  async function tell(
    out: SSEStreamingApi,
    stream: EventStream,
    feed: ChannelFeed,
    owner_id: string,
    start: { position: Position; reset: boolean },
  ): Promise<void> {
    let position = start.position
    if (start.reset) await tellReset(out, position)
    let comment_at = performance.now() + comment_ms
    while (!stream.ended) {
      // The log goes on keeping events for as long as someone listens.
      await feed.keepEvents(owner_id)
      const next = await tellNews(out, stream, feed, position)
      if (!next) {
        position = await presentPosition(sql, feed)
        await tellReset(out, position)
        continue
      }
      position = next
      await stream.heard(Math.max(0, comment_at - performance.now()))
      // Whatever rang: much of what happens is not told, and then the line would be silent.
      if (stream.ended || performance.now() < comment_at) continue
      await out.write(': keep-alive\n\n')
      comment_at = performance.now() + comment_ms
    }
  }

  /** Writes all that came after `position`. null: the log does not reach back to it. */
  async function tellNews(
    out: SSEStreamingApi,
    stream: EventStream,
    feed: ChannelFeed,
    position: Position,
  ): Promise<Position | null> {
    let head = feed.head
    // Another instance may have told the listener what this one has not heard yet.
    if (!head || position.seq > head.seq) head = await feed.refresh()
    if (!head || head.epoch !== position.epoch || position.seq > head.seq) return null
    let at = position
    while (!stream.ended && (at.seq < head.seq || at.index !== -1)) {
      const from = at.index === -1 ? at.seq + 1 : at.seq
      const last = Math.min(head.seq, from + TURNS_AT_ONCE - 1)
      const turns = await readEvents(sql, feed.channel_id, { epoch: head.epoch, from, last })
      if (!turns) return null
      for (const { seq, events } of turns) {
        const told = seq === at.seq ? at.index : -1
        for (const [index, event] of events.entries()) {
          if (index <= told) continue
          if (stream.ended) return at
          at = { ...at, seq, index: index === events.length - 1 ? -1 : index }
          await out.writeSSE({ event: event.type, id: writePosition(at), data: JSON.stringify(event.data) })
        }
        at = { ...at, seq, index: -1 }
      }
    }
    for (let full = true; full && !stream.ended; ) {
      const interactions = await interactionsAfter(sql, feed.channel_id, at.number, INTERACTIONS_AT_ONCE)
      for (const interaction of interactions) {
        if (stream.ended) return at
        at = { ...at, number: interaction.number }
        const data = JSON.stringify(withoutNumber(interaction))
        await out.writeSSE({ event: 'interaction.created', id: writePosition(at), data })
      }
      full = interactions.length === INTERACTIONS_AT_ONCE
    }
    return at
  }

  return routes
}

async function tellReset(out: SSEStreamingApi, position: Position): Promise<void> {
  await out.writeSSE({ event: 'reset', id: writePosition(position), data: '{}' })
}

async function presentPosition(sql: Sql, feed: ChannelFeed): Promise<Position> {
  const number = await lastInteraction(sql, feed.channel_id)
  const head = feed.head ?? (await feed.refresh())
  if (!head) throw notFound('Channel')
  return { epoch: head.epoch, seq: head.seq, index: -1, number }
}

/** Where a listener goes on: at the Last-Event-ID it `asked` for, or where things are now. */
function startOf(asked: string | undefined, present: Position): { position: Position; reset: boolean } {
  if (asked === undefined) return { position: present, reset: false }
  const given = parsePosition(asked)
  const known = given !== null && given.number <= present.number
  return known ? { position: given, reset: false } : { position: present, reset: true }
}

function writePosition({ epoch, seq, index, number }: Position): string {
  return `${epoch}.${seq}.${index}.${number}`
}

function parsePosition(id: string): Position | null {
  const [, epoch, seq, index, number] = /^(\d{1,9})\.(\d{1,15})\.(-1|\d{1,6})\.(\d{1,15})$/.exec(id) ?? []
  if (epoch === undefined) return null
  return { epoch: Number(epoch), seq: Number(seq), index: Number(index), number: Number(number) }
}
