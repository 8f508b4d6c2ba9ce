// Offers a load to running instances, and measures what it took.
import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from '../../bench/latencies.ts'
import { emptyStateVector } from '../../bench/load/dialects.ts'
import type { Posted, Poster } from '../../bench/load/poster.ts'
import { startRemote } from '../../bench/load/remote.ts'
import type { Seen, Viewers } from '../../bench/load/viewers.ts'
import { cpuOfMachine } from '../../bench/processes.ts'
import type { Bus } from '../../proof/cluster/cluster.ts'
import { createChannels, type Measured } from '../measured/measured.ts'
import { type Counters, readCounters, readCpu } from './counters.ts'
import type { Load, LoadName } from './loads.ts'

/** One load on one set of instances. CPU in microseconds, latencies in milliseconds. */
export type Cell = Counters & {
  bus: Bus
  instances: number
  load: LoadName
  seconds: number
  cards: number
  deliveries: number
  /** CPU of all instances for the viewers to join, each. The channel is empty then. */
  join_us: number
  post_p99: number
  seen_p99: number
  /** The share of a core that processes outside the run took. */
  noise: number
}

export type Crew = ReturnType<typeof startCrew>

const CONNECTIONS = 16
const VIEWER_PROCESSES = 2
const SETTLE_MS = 500
const PATIENCE_S = 10

/** The processes that post and watch. */
export function startCrew(posters: number) {
  const crew = {
    posters: Array.from({ length: posters }, () => startRemote<Poster>('poster.ts')),
    viewers: Array.from({ length: VIEWER_PROCESSES }, () => startRemote<Viewers>('viewers.ts')),
    end(): void {
      for (const { close } of [...crew.posters, ...crew.viewers]) close()
    },
  }
  return crew
}

export async function measureLoad(
  measured: Measured,
  { load, bus, crew, seconds }: { load: Load; bus: Bus; crew: Crew; seconds: number },
): Promise<Cell> {
  const { instances } = measured
  const urls = instances.map(instance => instance.direct_url())
  const { api_key, channel_ids } = await createChannels(urls[0] ?? '', load.channels)
  const posters = crew.posters.slice(0, instances.length)
  const headers = { authorization: `Bearer ${api_key}` }
  await Promise.all(
    posters.map((poster, i) =>
      poster.call('open', { port: portOf(urls[i]), headers, connections: CONNECTIONS }),
    ),
  )
  const viewers = load.viewers?.(instances.length) ?? []
  const places = viewers.map(({ instance, channel }) => ({
    port: portOf(urls[instance]),
    channel_id: channel_ids[channel] ?? '',
  }))
  const empty = readCpu(measured)
  await joinAll(crew, places, api_key)
  const joined = readCpu(measured)

  const paths = instances.map((_, i) =>
    channel_ids
      .filter((_, channel) => load.writes(channel, i, instances.length))
      .map(id => `/api/v1/channels/${id}/cards`),
  )
  const writers = paths.filter(({ length }) => length > 0).length
  const post = (seconds: number): Promise<Posted[]> =>
    Promise.all(
      posters.map((poster, i) => {
        const mine = paths[i] ?? []
        if (mine.length === 0) return { done: 0, seconds, latencies: [] }
        return poster.call('pace', { paths: mine, rate: load.rate / writers, seconds })
      }),
    )
  // Caches fill, and documents load.
  await post(seconds / 4)
  await delay(SETTLE_MS)
  for (const process of crew.viewers) await process.call('reset', null)

  const before = await readCounters(measured)
  const machine = cpuOfMachine()
  const began = performance.now()
  const posted = load.channels > 0 ? await post(seconds) : await delay(seconds * 1000, [])
  const seen = await seenBy(crew, viewers.length, load, posted)
  const took_s = (performance.now() - began) / 1000
  const cpu = readCpu(measured)
  const after = await readCounters(measured)
  const machine_after = cpuOfMachine()
  for (const process of crew.viewers) await process.call('leave', null)

  const foreign = machine_after.all - machine.all - (machine_after.ours - machine.ours)
  return {
    bus,
    instances: instances.length,
    load: load.name,
    seconds: took_s,
    cards: total(posted.map(({ done }) => done)),
    deliveries: seen.deliveries,
    join_us: total(less(joined.instances, empty.instances)) / places.length,
    cpu: {
      instances: less(cpu.instances, before.cpu.instances),
      postgres: cpu.postgres - before.cpu.postgres,
      redis: cpu.redis - before.cpu.redis,
    },
    turns: {
      committed: after.turns.committed - before.turns.committed,
      lost: after.turns.lost - before.turns.lost,
    },
    followed: after.followed - before.followed,
    queries: after.queries - before.queries,
    wal_bytes: after.wal_bytes - before.wal_bytes,
    messages: after.messages - before.messages,
    post_p99: percentile(
      posted.flatMap(({ latencies }) => latencies),
      0.99,
    ),
    seen_p99: percentile(seen.latencies, 0.99),
    noise: Math.max(0, foreign / took_s),
  }
}

const less = (after: number[], before: number[]) => after.map((us, i) => us - (before[i] ?? 0))
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
const portOf = (url = '') => Number(new URL(url).port)

type Place = { port: number; channel_id: string }

async function joinAll(crew: Crew, places: Place[], token: string): Promise<void> {
  const ports = [...new Set(places.map(({ port }) => port))]
  await Promise.all(
    crew.viewers.map(async (process, half) => {
      for (const port of ports) {
        const mine = places.filter((place, i) => place.port === port && i % VIEWER_PROCESSES === half)
        await process.call('join', {
          port,
          places: mine.map(({ channel_id }) => ({ channel_id, path: `/sync/${channel_id}?token=${token}` })),
          dialect: 'y-websocket',
          state_vector: emptyStateVector,
          at_once: false,
        })
      }
    }),
  )
}

/** Waits until every viewer has the cards of its channel. */
async function seenBy(
  { viewers }: Crew,
  count: number,
  { channels }: Load,
  posted: Posted[],
): Promise<Pick<Seen, 'deliveries' | 'latencies'>> {
  if (count === 0) return { deliveries: 0, latencies: [] }
  const cards = total(posted.map(({ done }) => done))
  // With several channels their shares differ by a card or two.
  const each = channels === 1 ? cards : Math.floor(cards / channels) - 2
  const seen = await Promise.all(
    viewers.map(process => process.call('seen', { cards: each, patience: PATIENCE_S })),
  )
  return {
    deliveries: total(seen.map(({ deliveries }) => deliveries)),
    latencies: seen.flatMap(({ latencies }) => latencies),
  }
}
