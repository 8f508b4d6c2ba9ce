// The faults of random plans. Pure. test/lab/faults/prove-faults.ts has those too that need something of the machine, or of the whole run:
// broken disks, PostgreSQL's clock, a pooler and a balancer.
import type { Bus } from './cluster/cluster.ts'
import type { Fault, FaultKind } from './faults.ts'
import type { Random } from './random.ts'

/** Every plan has each of these, if it has enough faults. */
export const FAULT_KINDS = ['kill', 'pause', 'partition', 'lost answers'] as const
type RandomKind = (typeof FAULT_KINDS)[number]
/** Those that may last for the whole of a liveness phase. */
const LASTING_KINDS = ['kill', 'pause', 'partition'] as const

/** The share of the plans with many faults that end with a fault after which no other may come. */
const LAST_SHARE = 1 / 3
/** Until enough turns are lost. */
const LOSING_MS = 8_000

type Place = { instances: number; channels: number; bus: Bus }
type Make = (random: Random, place: Place) => FaultKind & { lasts?: number }

const instanceOf = (random: Random, { instances }: Place) => random.between(0, instances - 1)
const channelOf = (random: Random, { channels }: Place) => random.between(0, channels - 1)

/** What the faults after those are drawn from. `lasts`: until it has certainly met something, or for as long as it takes. */
const OTHERS: Make[] = [
  ...FAULT_KINDS.map(
    (kind): Make =>
      (random, place) =>
        makeFault(random, kind, instanceOf(random, place), place.bus),
  ),
  // In the first line of a webhook, in its headers, and in its body.
  (random, place) => ({
    kind: 'kill',
    instance: instanceOf(random, place),
    after: { webhook_bytes: random.pick([1, 200, 600]) },
    lasts: 3_000,
  }),
  random => ({
    kind: 'connections',
    how: random.pick(['used up', 'terminated', 'cancelled', 'read-only'] as const),
    lasts: 2_000,
  }),
  random => ({
    kind: 'postgres',
    how: random.pick(['killed', 'backend killed', 'paused'] as const),
    lasts: 2_000,
  }),
  (random, place) => ({ kind: 'locked row', channel: channelOf(random, place), lasts: 3_000 }),
  random => ({
    kind: 'receivers',
    how: random.pick(['redirect', 'reset', 'dead body'] as const),
    lasts: 3_000,
  }),
  (random, place) => ({
    kind: 'viewers',
    how: random.pick(['stop reading', 'read slowly', 'flood', 'return at once', 'ignore closes'] as const),
    channel: channelOf(random, place),
    instance: instanceOf(random, place),
    lasts: 2_000,
  }),
  () => ({ kind: 'viewers', how: 'paused', lasts: 2_000 }),
  (random, place) => ({
    kind: 'clock',
    instance: instanceOf(random, place),
    shift_s: random.pick([-86_400, -3_600, -1, 1, 3_600, 86_400]),
    lasts: 2_000,
  }),
  (random, place) => ({ kind: 'backlog', instance: instanceOf(random, place), lasts: 2_000 }),
  (random, place) => ({ kind: 'neighbour', instance: instanceOf(random, place), lasts: 5_000 }),
  (random, place) => ({
    kind: 'stop',
    instance: instanceOf(random, place),
    channel: channelOf(random, place),
    lasts: 3_000,
  }),
]

/** It dies, and another one must notice. */
const OF_SEVERAL: Make[] = [
  (random, place) => ({ kind: 'ended key', instance: instanceOf(random, place), lasts: 1_000 }),
]
const OF_BUS: Record<Bus, Make[]> = {
  postgres: [],
  redis: [
    random => ({ kind: 'redis', how: random.pick(['killed', 'demoted'] as const), lasts: 2_000 }),
    // Longer than a command may take.
    () => ({ kind: 'redis', how: 'paused', lasts: 5_000 }),
    (random, place) => ({ kind: 'redis', how: 'split', instance: instanceOf(random, place), lasts: 2_000 }),
  ],
  cluster: [() => ({ kind: 'redis', how: 'slots moved', lasts: 2_000 })],
}

/** Nothing may follow these: they lose history, which later findings would be about, or hold deliveries up for long. */
const LAST: Make[] = [
  () => ({ kind: 'failover', synchronous: false, lasts: LOSING_MS }),
  () => ({ kind: 'failover', synchronous: true, lasts: LOSING_MS }),
  () => ({ kind: 'restore', lasts: LOSING_MS }),
  random => ({ kind: 'receivers', how: random.pick(['hang', 'slow'] as const), lasts: 2_000 }),
]

/** One after another, from `begin_ms` on. */
export function makeFaults(random: Random, count: number, place: Place, begin_ms: number): Fault[] {
  const { bus } = place
  const first = FAULT_KINDS.slice(0, count).map(
    kind => () => makeFault(random, kind, instanceOf(random, place), bus),
  )
  const left = Math.max(0, count - first.length)
  const last = left > 0 && random.chance(LAST_SHARE) ? [random.pick(LAST)] : []
  const makes = [...OTHERS, ...OF_BUS[bus], ...(place.instances > 1 ? OF_SEVERAL : [])]
  const others = Array.from({ length: left - last.length }, () => random.pick(makes))
  let at = begin_ms
  return [...shuffled<Make>(random, [...first, ...others]), ...last].map(make => {
    const fault: Fault = { at, lasts: random.between(600, 1_500), ...make(random, place) }
    at += fault.lasts + random.between(200, 600)
    return fault
  })
}

/** An instance is broken for as long as a liveness phase lasts. */
export function makeLasting(random: Random, instance: number, bus: Bus): FaultKind {
  const fault = makeFault(random, random.pick(LASTING_KINDS), instance, bus)
  // A link that nobody uses has no bytes to drop.
  return fault.kind === 'partition' && fault.how === 'drop' ? { ...fault, how: 'cut' } : fault
}

function makeFault(random: Random, kind: RandomKind, instance: number, bus: Bus): FaultKind {
  if (kind !== 'partition') return { kind, instance }
  const link = random.pick(
    bus === 'postgres' ? (['front', 'postgres'] as const) : (['front', 'postgres', 'redis'] as const),
  )
  const way = random.pick(['up', 'down', 'both'] as const)
  return { kind, instance, link, way, how: random.pick(['stall', 'drop', 'cut'] as const) }
}

export function shuffled<T>(random: Random, items: T[]): T[] {
  return items
    .map(item => ({ item, by: random.fraction() }))
    .sort((a, b) => a.by - b.by)
    .map(({ item }) => item)
}
