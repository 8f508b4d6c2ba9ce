// Every kind of write in channels of 320 cards: in many that rest between two writes, and in a few that don't.
// A change is compared with a new card in the same round.
import { setTimeout as delay } from 'node:timers/promises'
import { badgeCard } from '../card.ts'
import { percentile } from '../latencies.ts'
import type { Poster } from '../load/poster.ts'
import type { Remote } from '../load/remote.ts'
import { measure } from '../measure.ts'
import { memoryOf } from '../processes.ts'
import { type Context, type Goal, goal, type Sample, type Scenario, startPosting } from '../scenario.ts'
import { cardsPath, type Running } from '../target.ts'
import { type Kind, kinds, oldestPath, type Place } from './write-kinds.ts'

const CHANNELS = 40
const CARDS = 320
/** Writes of each kind in each channel, at once and not measured. They are many enough to be compiled. */
const WARM_UP = 5
/** A document that nobody uses leaves memory after two seconds. */
const REST_MS = 3_000

type Shape = {
  name: string
  title: string
  /** Written at this many writes per second each, after the warm-up. */
  channels: number
  rate: number
  /** Whether the documents leave memory before and between the writes. */
  rests: boolean
  /** Measured writes of each kind per channel. */
  steps: number
  /** A further text of each card, by its length. */
  text?: number
  kinds: Kind[]
  /** Goals: milliseconds, or multiples of a new card. */
  most: { cpu?: number; p50_ms?: number; p99?: number; megabytes?: number }
}

const shapes: Shape[] = [
  {
    name: 'changes-resting',
    title: '40 channels, a write every 3 s in each',
    channels: CHANNELS,
    rate: 1 / 3,
    rests: true,
    steps: 3,
    kinds,
    most: { cpu: 1.3, p99: 1.5, megabytes: 1.2 },
  },
  {
    name: 'changes-hot',
    title: '2 channels, 10 writes/s in each',
    channels: 2,
    rate: 10,
    rests: false,
    steps: 80,
    kinds,
    most: { cpu: 1.2 },
  },
  {
    name: 'presses-resting',
    title: '40 channels with cards of 4 KB, one every 3 s in each',
    channels: CHANNELS,
    rate: 1 / 3,
    rests: true,
    steps: 3,
    text: 3_500,
    kinds: kinds.filter(({ name }) => name === 'press'),
    most: { p50_ms: 10 },
  },
]

function changes(shape: Shape): Scenario {
  return {
    name: shape.name,
    targets: ['channel-feed'],
    rounds: 3,
    goals: shape.kinds.flatMap(kind => goalsOf(shape, kind)),
    async run(target, context) {
      const { running, poster } = await startPosting(target, context, 16)
      const places = await fill(running, poster, shape, context)
      const sample: Sample = {}
      for (const kind of shape.kinds)
        Object.assign(sample, await measureKind(running, poster, shape, kind, places))
      return compare(sample, shape.kinds)
    },
  }
}

function goalsOf({ title, most }: Shape, { name, title: kind }: Kind): Goal[] {
  const row = (figure: string, what: string, unit: string, digits: number, at_most?: number) =>
    goal(`${name}_${figure}`, `${kind}, ${title}: ${what}`, unit, digits, ...(at_most ? [{ at_most }] : []))
  return [
    row('cpu_ms', 'CPU', 'ms', 2),
    row('cpu_times', 'CPU', '× POST', 2, most.cpu),
    row('p50_ms', 'p50', 'ms', 1, most.p50_ms),
    row('p99_ms', 'p99', 'ms', 1),
    row('p99_times', 'p99', '× POST', 2, most.p99),
    row('megabytes_times', 'resident memory', '× POST', 2, most.megabytes),
  ]
}

/** Leaves room for the new cards that are measured first. */
async function fill(running: Running, poster: Remote<Poster>, shape: Shape, { quick }: Context) {
  const channels = await running.createChannels(quick ? 2 : CHANNELS)
  const first = channels.map(id => ({ method: 'PUT', path: oldestPath(id), body: badgeCard(0) }))
  await poster.call('writes', { writes: first, status: 201 })
  const count = CARDS - 1 - WARM_UP - shape.steps
  const paths = channels.flatMap(id => Array<string>(count).fill(cardsPath(id)))
  const ids = await poster.call('cards', { paths, body: badgeCard(0, shape.text) })
  return channels.map((channel_id, i) => ({
    channel_id,
    cards: ids.slice(i * count, (i + 1) * count),
    person: running.person,
  }))
}

async function measureKind(
  { pid }: Running,
  poster: Remote<Poster>,
  { channels, rests, steps, rate }: Shape,
  { name, status, write }: Kind,
  places: Place[],
): Promise<Sample> {
  const writes = (written: Place[], from: number, count: number) =>
    Array.from({ length: count }, (_, i) => written.map(place => write(place, from + i))).flat()
  await poster.call('writes', { writes: writes(places, 0, WARM_UP), status })
  if (rests) await delay(REST_MS)
  const written = places.slice(0, channels)
  const measured = { writes: writes(written, WARM_UP, steps), status, rate: rate * written.length }
  const { result, cost } = await measure(pid, () => poster.call('writes', measured))
  return {
    [`${name}_cpu_ms`]: (cost.server_cpu * 1000) / result.done,
    [`${name}_database_ms`]: (cost.database_cpu * 1000) / result.done,
    [`${name}_p50_ms`]: percentile(result.latencies, 0.5),
    [`${name}_p99_ms`]: percentile(result.latencies, 0.99),
    [`${name}_megabytes`]: memoryOf(pid),
    [`${name}_noise`]: cost.noise,
  }
}

/** Adds what each kind takes as a multiple of a new card. */
function compare(sample: Sample, kinds: Kind[]): Sample {
  const times = kinds.flatMap(({ name }) =>
    ['cpu_ms', 'p99_ms', 'megabytes'].map(figure => [
      `${name}_${figure.replace('_ms', '')}_times`,
      (sample[`${name}_${figure}`] ?? Number.NaN) / (sample[`post_${figure}`] ?? Number.NaN),
    ]),
  )
  const noise = Math.max(...kinds.map(({ name }) => sample[`${name}_noise`] ?? 0))
  return { ...sample, ...Object.fromEntries(times), noise }
}

export const changeScenarios = shapes.map(changes)
