// Durable cards per second. A card counts when its 201 arrives.
import { percentile } from '../latencies.ts'
import type { Posted } from '../load/poster.ts'
import { measure } from '../measure.ts'
import { type Context, goal, type Sample, type Scenario, startPosting, type Want } from '../scenario.ts'
import { cardsPath, type Running } from '../target.ts'

type Shape = {
  name: string
  title: string
  channels: number
  clients: number
  slow_flush?: number
  wants: Want[]
}

const everyone = ['insert', 'hocuspocus-durable', 'hocuspocus', 'y-websocket-server', 'channel-feed']
const durable = ['insert', 'hocuspocus-durable', 'channel-feed']

const beatsInsert: Want = { at_least: 1, of: 'insert' }
const shapes: Shape[] = [
  {
    name: 'ingest',
    title: 'Ingest, one channel, 64 clients',
    channels: 1,
    clients: 64,
    wants: [beatsInsert, { at_least: 50, of: 'hocuspocus-durable' }],
  },
  {
    name: 'ingest-50',
    title: 'Ingest, 50 channels, 64 clients',
    channels: 50,
    clients: 64,
    wants: [beatsInsert],
  },
  {
    name: 'ingest-slow-disk',
    title: 'Ingest, one channel, 64 clients, a flush takes 2 ms longer',
    channels: 1,
    clients: 64,
    slow_flush: 2,
    wants: [{ at_least: 3, of: 'insert' }],
  },
  {
    name: 'ingest-50-slow-disk',
    title: 'Ingest, 50 channels, 64 clients, a flush takes 2 ms longer',
    channels: 50,
    clients: 64,
    slow_flush: 2,
    wants: [{ at_least: 3, of: 'insert' }],
  },
  {
    name: 'ingest-one',
    title: 'Ingest, one client, one card after another',
    channels: 1,
    clients: 1,
    wants: [{ at_least: 0.6, of: 'insert' }],
  },
]

function ingest({ name, title, channels, clients, slow_flush, wants }: Shape): Scenario {
  return {
    name,
    targets: slow_flush === undefined && clients > 1 ? everyone : durable,
    rounds: 3,
    slow_flush,
    goals: [
      goal('per_second', title, 'cards/s', 0, ...wants),
      goal('p99_ms', `${title}: p99 of a POST`, 'ms', 1),
    ],
    async run(target, context) {
      const { running, channel_id, poster } = await startPosting(target, context, clients)
      const paths = [channel_id, ...(await running.createChannels(channels - 1))].map(cardsPath)
      return measureWrites(running, context, seconds => poster.call('closedLoop', { paths, seconds }))
    },
  }
}

/** A warm-up, then figures per write. `send`: writes for so many seconds. */
async function measureWrites(
  { pid }: Running,
  { quick }: Context,
  send: (seconds: number) => Promise<Posted>,
): Promise<Sample> {
  await send(quick ? 0.5 : 1.5)
  const { result, cost } = await measure(pid, () => send(quick ? 1 : 5))
  return {
    per_second: result.done / result.seconds,
    p50_ms: percentile(result.latencies, 0.5),
    p99_ms: percentile(result.latencies, 0.99),
    server_cpu_ms_each: (cost.server_cpu * 1000) / result.done,
    database_cpu_ms_each: (cost.database_cpu * 1000) / result.done,
    noise: cost.noise,
  }
}

export const ingestScenarios = shapes.map(ingest)
