// Server-sent events: the changes and interactions of a channel, read from the log, with resume.
import { streamSSE } from 'hono/streaming'
import { EVENT_STREAMS_PER_KEY } from '../../shared/limits.ts'
import { asApiError, tooManyEventStreams } from '../errors.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { EventBatches } from './event-batches.ts'
import { latestPosition, startPosition } from './event-position.ts'
import { EventStream } from './event-streams.ts'
import { writeEvents } from './event-writer.ts'
import { CARD_ID, CHANNEL_ID, deployment, reply } from './examples.ts'
import { operation, serve } from './operation.ts'

const COMMENT_MS = 15_000

const example = `: connected
id: 1.6.-1.0

event: card.inserted
id: 1.7.-1.0
data: ${JSON.stringify(deployment)}

event: interaction.created
id: 1.7.-1.1
data: ${JSON.stringify(reply)}

event: card.deleted
id: 1.8.-1.1
data: ${JSON.stringify({ id: CARD_ID, channel_id: CHANNEL_ID })}

`

export const streamEvents = operation('streamEvents', 'get', '/channels/:channelId/events', {
  summary: 'Listen to events',
  description:
    'A stream of server-sent events that stays open; try it with `curl -N`. The data of an event is JSON:\n\n' +
    '| event | data |\n|---|---|\n' +
    '| `card.inserted`, `card.updated` | `Card` |\n' +
    '| `card.deleted` | `DeletedCard` |\n' +
    '| `decision.waiting`, `decision.decided`, `decision.expired`, `decision.cancelled` | `FullDecision`, after the `card.*` event of the same change |\n' +
    '| `interaction.created` | `Interaction` |\n' +
    '| `reset` | `{}` |\n\n' +
    'After a disconnect, send the `id` of the last event as `Last-Event-ID`, as browsers do by themselves. The stream continues there, at least ten minutes back. If the id is older or unknown, the first event is `reset`: read the channel again. A comment every 15 s keeps the connection open. The stream ends with its key, and with its right to the channel. A key may have ' +
    `${EVENT_STREAMS_PER_KEY} streams open at once.`,
  need: 'read',
  parameters: ['Last-Event-ID'],
  responses: {
    200: {
      description: 'Events, as they happen.',
      other: { type: 'text/event-stream', schema: { type: 'string' }, example },
    },
  },
  errors: [tooManyEventStreams()],
})

/** `comment_ms`: how often a comment keeps the connection open. */
type EventDeps = Pick<
  RouteDeps,
  'sql' | 'caller' | 'own' | 'feeds' | 'streams' | 'unread' | 'public_url' | 'log'
> & { comment_ms?: number }

export function addEventRoutes(routes: Routes, deps: EventDeps) {
  const { sql, caller, own, feeds, streams, unread, public_url, log, comment_ms = COMMENT_MS } = deps
  const batches = new EventBatches(sql, public_url)

  serve(routes, streamEvents, caller, own, async c => {
    const channel = c.get('channel')
    c.header('X-Accel-Buffering', 'no')
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    const stream = new EventStream(channel.id, c.get('user_id'), c.get('key'), c.env.outgoing)
    const feed = feeds.get(channel.id)
    // Before the first await, because a feed without listeners may be evicted.
    streams.add(stream)
    const unlisten = feed.listen(stream.wake)
    const close = () => {
      stream.end()
      streams.remove(stream)
      unlisten()
    }
    try {
      // The key may have been deleted before the stream was added.
      await streams.endOrphans([stream])
      await feed.keepEvents(channel.owner_id)
      const latest = await latestPosition(sql, feed)
      const { position, reset } = startPosition(c.req.header('Last-Event-ID'), latest)
      return streamSSE(c, async out => {
        // Hono's `no-cache` would let caches store the response.
        c.header('Cache-Control', 'no-store')
        out.onAbort(stream.end)
        try {
          const { owner_id } = channel
          const start = { start: position, reset, owner_id, comment_ms }
          await writeEvents({ sql, out, stream, feed, batches, unread }, start)
        } catch (error) {
          if (asApiError(error).code === 'internal_error')
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
}
