// The service's metrics, in Prometheus' text format.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  let complete = false
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `channel_feed_${name}_total`, help, labelNames, registers })
  return {
    registry,
    async read(): Promise<{ text: string; type: string }> {
      // From the first request on, because sampling the delay of the event loop takes a percent of a core.
      if (!complete) collectDefaultMetrics({ register: registry })
      complete = true
      return { text: await registry.metrics(), type: registry.contentType }
    },
    requests: counter('http_requests', 'HTTP requests answered, by method and status.', 'method', 'status'),
    commits: new Histogram({
      name: 'channel_feed_commit_seconds',
      help: 'Time of a group commit.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    turns: counter('turns', 'Turns by the result of their commit.', 'verdict'),
    refused_connections: counter(
      'refused_connections',
      'Connections and responses refused by a cap: address, channel, event_stream, hook, unread or wait.',
      'cap',
    ),
    followed: counter(
      'followed_turns',
      'Turns of other instances sent to viewers here, by where they were read: bus or log.',
      'source',
    ),
  }
}

type Measured = {
  feeds: { counts(): { channels: number; viewers: number; memory: number } }
  workspaces: { viewers: unknown[] }
  waits: { open: unknown[] }
  unread: { bytes: number }
  bus: { connected: boolean }
  history: { losses: number }
}

/** Adds metrics that are read from the parts of the service at each collection. */
export function measure(
  { registry }: Metrics,
  { feeds, workspaces, waits, unread, bus, history }: Measured,
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `channel_feed_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('viewers', 'Open viewer sockets.', () => feeds.counts().viewers)
  gauge('workspace_viewers', 'Open sockets of workspace pages.', () => workspaces.viewers.length)
  gauge('waiting_requests', 'Requests that wait for a decision.', () => waits.open.length)
  gauge('open_channels', 'Channels that this instance has open.', () => feeds.counts().channels)
  gauge(
    'documents_bytes',
    'Estimated memory of live documents and of what is kept for their viewers.',
    () => feeds.counts().memory,
  )
  gauge(
    'unread_bytes',
    'Large responses that are not sent completely yet. Shared bytes count once.',
    () => unread.bytes,
  )
  gauge('bus_connected', '1 while notices of other instances arrive.', () => (bus.connected ? 1 : 0))
  new Counter({
    name: 'channel_feed_lost_histories_total',
    help: 'Times the database may have come back without acknowledged commits.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(history.losses)
    },
  })
}
