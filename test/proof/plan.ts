// Makes a run's plan from a seed: what posters do and which faults happen, on one time axis. Pure. A plan names cards
// by rank, because the service chooses their ids.
import { ACTIONS, type Action, CORE_ACTIONS, HIDINGS, putLarge, RACE, RIGHTS } from './actions.ts'
import type { Bus } from './cluster/cluster.ts'
import type { Fault, FaultKind } from './faults.ts'
import { withWaiters } from './planned-waiters.ts'
import { type Random, seeded } from './random.ts'
import { makeFaults, makeLasting, shuffled } from './random-faults.ts'

export type Size = {
  instances: number
  bus: Bus
  channels: number
  /** Of these, how many are large. Their snapshots are the worker's. */
  large: number
  /** Cards per channel before the run begins. */
  cards: number
  posters: number
  viewers: number
  /** Operations of all posters. */
  steps: number
  faults: number
  /** Major version of PostgreSQL. */
  pg: 14 | 18
}

export type Plan = Size & {
  seed: number
  /** The operations of each poster, until the heal and after the quiet phase. */
  posts: { during: Operation[]; resume: Operation[] }[]
  watches: Watch[]
  newcomers: Newcomer[]
  nemesis: Fault[]
  /** In milliseconds since the beginning. */
  heal_at: number
  /** How many cards the spender's day has left at the begin. */
  spendable: number
  liveness?: Liveness
}

/** After the faults: one instance and the database heal, and everything else stays broken. Writes there must succeed. */
export type Liveness = {
  /** The instance that heals. */
  core: number
  broken: FaultKind[]
  /** What each poster does on it. */
  posts: Operation[][]
}

export type Operation = {
  /** Unique in the run. The content that it writes names it. */
  id: string
  /** Not before; in milliseconds from the begin of its phase. */
  at: number
  channel: number
  instance: number
} & Action

export type Watch = { channel: number; instance: number; client: 'y-websocket 3' | 'y-websocket 2' | 'bare' }
/** A viewer that joins when this burst begins. */
export type Newcomer = Watch & { burst: string }

export const QUICK: Size = {
  instances: 2,
  bus: 'postgres',
  channels: 2,
  large: 0,
  cards: 400,
  posters: 4,
  viewers: 6,
  steps: 300,
  faults: 4,
  pg: 18,
}

/** About ten minutes. */
export const LONG: Size = {
  instances: 3,
  bus: 'redis',
  channels: 12,
  large: 1,
  cards: 400,
  posters: 8,
  viewers: 40,
  steps: 10_000,
  faults: 100,
  pg: 18,
}

const RAMP_MS = 2_000
const RESUME_MS = 500
const RESUME_SHARE = 0.1
const LIVENESS_MS = 8_000
const LIVENESS_STEPS = 10
const NEWCOMERS = 4
/** Their draws are apart from the others of the seed. */
const WAITERS = 0x5eed
/** Of the operations on a large channel. */
const LARGE_SHARE = 1 / 8

export function makePlan(seed: number, size: Size = QUICK): Plan {
  const random = seeded(seed)
  const nemesis = makeFaults(random, size.faults, size, RAMP_MS)
  const last = nemesis.at(-1)
  const heal_at = last ? last.at + last.lasts : RAMP_MS
  const each = Math.ceil(size.steps / size.posters)
  const posts = Array.from({ length: size.posters }, (_, poster) => {
    const resumed = Math.ceil(each * RESUME_SHARE)
    const phase = (name: string, count: number, ms: number) =>
      Array.from({ length: count }, (_, i) =>
        makeOperation(random, size, `${seed}-p${poster}-${name}${i}`, poster, (ms * i) / count),
      )
    const resume = phase('r', resumed, RESUME_MS)
    // Without faults, rights must end sooner, so each run takes every kind away then.
    for (const [i, right] of RIGHTS.entries())
      if (i % size.posters === poster)
        resume.push({ ...target(size, `${seed}-p${poster}-x${i}`, poster, RESUME_MS), kind: 'revoke', right })
    const how = HIDINGS[poster % HIDINGS.length] ?? 'off'
    resume.push({ ...target(size, `${seed}-p${poster}-h`, poster, RESUME_MS), kind: 'hide', how })
    // By now most of the day is used up.
    resume.push({
      ...target(size, `${seed}-p${poster}-s`, poster, RESUME_MS),
      channel: size.channels,
      ...RACE,
    })
    return { during: phase('d', each - resumed, heal_at), resume }
  })
  const waiting = seeded(seed ^ WAITERS)
  const during = withWaiters(
    waiting,
    posts.map(poster => poster.during),
  )
  for (const [i, poster] of posts.entries()) poster.during = during[i] ?? []
  const clients: Watch['client'][] = ['y-websocket 3', 'y-websocket 2', 'bare']
  const watches = Array.from({ length: size.viewers }, (_, i) => ({
    channel: i % size.channels,
    instance: Math.floor(i / size.channels) % size.instances,
    client: clients[Math.floor(i / 2) % clients.length] ?? 'bare',
  }))
  const planned = posts.flatMap(({ during, resume }) => [...during, ...resume])
  const bursts = posts.flatMap(({ during }) =>
    during.filter(({ kind, channel }) => kind === 'burst' && channel < size.channels),
  )
  const spendable = Math.max(2, Math.floor(planned.reduce((sum, action) => sum + spentBy(action), 0) / 2))
  const newcomers = shuffled(random, bursts)
    .slice(0, NEWCOMERS)
    .map(({ id, channel }, i): Newcomer => {
      const client = clients[i % clients.length] ?? 'bare'
      return { burst: id, channel, instance: i % size.instances, client }
    })
  const liveness = seed % 3 === 0 ? makeLiveness(random, size, seed) : undefined
  return {
    ...size,
    seed,
    posts,
    watches,
    newcomers,
    nemesis,
    heal_at,
    spendable,
    ...(liveness && { liveness }),
  }
}

function makeLiveness(random: Random, size: Size, seed: number): Liveness {
  const { instances, posters, bus } = size
  const core = random.between(0, instances - 1)
  const others = Array.from({ length: instances }, (_, i) => i).filter(i => i !== core)
  const broken = others.map(instance => makeLasting(random, instance, bus))
  if (bus !== 'postgres')
    broken.push({ kind: 'partition', instance: core, link: 'redis', how: 'cut', way: 'both' })
  const posts = Array.from({ length: posters }, (_, poster) =>
    Array.from({ length: LIVENESS_STEPS }, (_, i): Operation => {
      const target = { channel: random.between(0, size.channels - 1), instance: core }
      const at = Math.round((LIVENESS_MS * i) / LIVENESS_STEPS)
      return { id: `${seed}-p${poster}-l${i}`, at, ...target, ...random.weighted(CORE_ACTIONS)(random) }
    }),
  )
  return { core, broken, posts }
}

/** How many cards of the spender an operation creates. */
function spentBy(action: Action): number {
  if (action.kind === 'burst') return action.parts.reduce((sum, part) => sum + spentBy(part), 0)
  return action.kind === 'spend' ? 1 : 0
}

const READS: string[] = ['get', 'get key', 'list', 'page', 'read decision', 'list decisions']

const target = (size: Size, id: string, poster: number, at: number) => ({
  id,
  at: Math.round(at),
  channel: poster % size.channels,
  instance: poster % size.instances,
})

function makeOperation(random: Random, size: Size, id: string, poster: number, at: number): Operation {
  const action = random.weighted(ACTIONS)(random)
  const own = target(size, id, poster, at)
  const reads = READS.includes(action.kind)
  const instance = reads && random.chance(1 / 3) ? random.between(0, size.instances - 1) : own.instance
  const channel = spentBy(action) > 0 ? size.channels : random.between(0, size.channels - 1)
  if (channel < size.large && random.chance(LARGE_SHARE)) return { ...own, channel, ...putLarge(random) }
  return { ...own, channel, instance, ...action }
}
