// What the service measures of itself, in Prometheus' text format.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export function createMetrics(
  counts: () => { channels: number; viewers: number; memory: number; workspace_viewers: number },
  busConnected: () => boolean,
  lostHistories: () => number,
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  new Gauge({
    name: 'channel_feed_viewers',
    help: 'Open viewer sockets.',
    registers,
    collect() {
      this.set(counts().viewers)
    },
  })
  new Gauge({
    name: 'channel_feed_workspace_viewers',
    help: 'Open sockets of workspaces’ pages.',
    registers,
    collect() {
      this.set(counts().workspace_viewers)
    },
  })
  new Gauge({
    name: 'channel_feed_open_channels',
    help: 'Channels that this instance has in hand.',
    registers,
    collect() {
      this.set(counts().channels)
    },
  })
  new Gauge({
    name: 'channel_feed_documents_bytes',
    help: 'Estimated memory of live documents and of what is kept for their viewers.',
    registers,
    collect() {
      this.set(counts().memory)
    },
  })
  new Gauge({
    name: 'channel_feed_bus_connected',
    help: '1 while notices of other instances arrive.',
    registers,
    collect() {
      this.set(busConnected() ? 1 : 0)
    },
  })

  new Counter({
    name: 'channel_feed_lost_histories_total',
    help: 'Times the database may have come back without acknowledged commits.',
    registers,
    collect() {
      this.reset()
      this.inc(lostHistories())
    },
  })

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
      help: 'Turns of other instances shown here, by where they were read: bus or log.',
      labelNames: ['source'] as const,
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
