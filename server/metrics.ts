// What the service measures, in Prometheus' text format.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'channel_feed_http_requests_total',
      help: 'HTTP requests answered, by method and status.',
      labelNames: ['method', 'status'] as const,
      registers,
    }),
    commits: new Histogram({
      name: 'channel_feed_commit_seconds',
      help: 'Time of a group commit.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    turns: new Counter({
      name: 'channel_feed_turns_total',
      help: 'Turns by verdict.',
      labelNames: ['verdict'] as const,
      registers,
    }),
    refused_connections: new Counter({
      name: 'channel_feed_refused_connections_total',
      help: 'Connections refused by a cap: address, channel or event_stream.',
      labelNames: ['cap'] as const,
      registers,
    }),
    followed: new Counter({
      name: 'channel_feed_followed_turns_total',
      help: 'Turns of other instances sent to viewers here, by where they were read: bus or log.',
      labelNames: ['source'] as const,
      registers,
    }),
  }
}

/** What is read from the parts of the service when somebody collects the metrics. */
export type Measured = {
  feeds: { counts(): { channels: number; viewers: number; memory: number } }
  workspaces: { viewers: unknown[] }
  bus: { connected: boolean }
  history: { losses: number }
}

export function measure({ registry }: Metrics, { feeds, workspaces, bus, history }: Measured): void {
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
  gauge('open_channels', 'Channels that this instance has open.', () => feeds.counts().channels)
  gauge(
    'documents_bytes',
    'Estimated memory of live documents and of what is kept for their viewers.',
    () => feeds.counts().memory,
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
