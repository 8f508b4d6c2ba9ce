// Makes a run's plan from a seed: what posters do and which faults happen, on one time axis. Pure. A plan names cards
// by rank, because the service chooses their ids.
import { CARD_STATUSES } from '../../shared/limits.ts'
import type { Bus } from './cluster/cluster.ts'
import type { Fault, FaultKind } from './faults.ts'
import type { Field } from './model/cards.ts'
import { REFUSALS, type Refused } from './model/refusals.ts'
import { type Random, seeded } from './random.ts'

export type Size = {
  instances: number
  bus: Bus
  channels: number
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
  nemesis: Fault[]
  /** Milliseconds from the begin. */
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

/** The n-th of the cards that the posters know in a channel. */
export type Rank = { from: 'newest' | 'oldest'; n: number }

export type Operation = {
  /** Unique in the run. The content that it writes names it. */
  id: string
  /** Not before; in milliseconds from the begin of its phase. */
  at: number
  channel: number
  instance: number
} & Action

export type Action =
  | { kind: 'post'; status: CardStatus; idempotent: boolean }
  | { kind: 'put'; key: string; idempotent: boolean }
  /** Appends a row with the operation's id, and may change other fields. */
  | { kind: 'patch'; card: Rank; status?: CardStatus; fields?: Field[]; idempotent?: boolean }
  | { kind: 'refused'; card: Rank; key: string; how: Refused['how'] }
  | { kind: 'delete'; card: Rank }
  | { kind: 'get'; card: Rank }
  | { kind: 'get key'; key: string }
  | { kind: 'list'; limit: number }
  /** `back`: 0 is the newest page. */
  | { kind: 'page'; back: number }
  /** Of an anonymous viewer. */
  | { kind: 'interact'; act: 'click' | 'change' | 'reply'; card: Rank; repeated: boolean }
  /** `back`: 0 is the newest interaction. */
  | { kind: 'redeliver'; back: number }
  | { kind: 'rotate' | 'webhook' | 'head' | 'add action' | 'remove action' }
  | { kind: 'attribute'; name: string }
  | { kind: 'create channel' | 'delete channel' }
  /** A card of the user whose daily limit the run uses up. */
  | { kind: 'spend' }
  /** Takes a right away, and watches on every instance until it is gone. */
  | { kind: 'revoke'; right: Right }

type CardStatus = (typeof CARD_STATUSES)[number]

export const RIGHTS = ['key', 'session', 'visibility', 'password', 'channel'] as const
export type Right = (typeof RIGHTS)[number]

export type Watch = { channel: number; instance: number; client: 'y-websocket 3' | 'y-websocket 2' | 'bare' }

/** The kinds of random plans. The seeds and the nemesis' own tests do the others, which need more around them. */
export const FAULT_KINDS = ['kill', 'pause', 'partition', 'lost answers'] as const
type RandomKind = (typeof FAULT_KINDS)[number]
/** Those that may last for the whole of a liveness phase. */
const LASTING_KINDS = ['kill', 'pause', 'partition'] as const

export const QUICK: Size = {
  instances: 2,
  bus: 'postgres',
  channels: 2,
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
const KEYS = 20
const SPEND_WEIGHT = 3
const FIELDS = ['note', 'answer', 'label'] as const
const ACTS = ['click', 'change', 'reply'] as const
const LIVENESS_MS = 8_000
const LIVENESS_STEPS = 10

export function makePlan(seed: number, size: Size = QUICK): Plan {
  const random = seeded(seed)
  const nemesis = makeFaults(random, size)
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
    // Without faults, rights must end sooner, so each run takes some away then.
    const right = RIGHTS[(seed + poster) % RIGHTS.length] ?? 'key'
    resume.push({ ...target(size, `${seed}-p${poster}-x`, poster, RESUME_MS), kind: 'revoke', right })
    return { during: phase('d', each - resumed, heal_at), resume }
  })
  const clients: Watch['client'][] = ['y-websocket 3', 'y-websocket 2', 'bare']
  const watches = Array.from({ length: size.viewers }, (_, i) => ({
    channel: i % size.channels,
    instance: Math.floor(i / size.channels) % size.instances,
    client: clients[Math.floor(i / 2) % clients.length] ?? 'bare',
  }))
  // About half of what the run asks for.
  const spendable = Math.max(2, Math.round((size.steps * SPEND_WEIGHT) / 200))
  const liveness = seed % 3 === 0 ? makeLiveness(random, size, seed) : undefined
  return { ...size, seed, posts, watches, nemesis, heal_at, spendable, ...(liveness && { liveness }) }
}

function makeLiveness(random: Random, size: Size, seed: number): Liveness {
  const { instances, posters, bus } = size
  const core = random.between(0, instances - 1)
  const others = Array.from({ length: instances }, (_, i) => i).filter(i => i !== core)
  const broken = others.map(instance => {
    const fault = makeFault(random, random.pick(LASTING_KINDS), instance, bus)
    // A link that nobody uses has no bytes to drop.
    return fault.kind === 'partition' && fault.how === 'drop' ? { ...fault, how: 'cut' as const } : fault
  })
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

const target = (size: Size, id: string, poster: number, at: number) => ({
  id,
  at: Math.round(at),
  channel: poster % size.channels,
  instance: poster % size.instances,
})

function makeOperation(random: Random, size: Size, id: string, poster: number, at: number): Operation {
  const action = random.weighted(ACTIONS)(random)
  const own = target(size, id, poster, at)
  const reads = ['get', 'get key', 'list', 'page'].includes(action.kind)
  const instance = reads && random.chance(1 / 3) ? random.between(0, size.instances - 1) : own.instance
  const channel = action.kind === 'spend' ? size.channels : random.between(0, size.channels - 1)
  return { ...own, channel, instance, ...action }
}

const newest = (random: Random): Rank => ({ from: 'newest', n: Math.floor(random.fraction() ** 2 * 100) })
const oldest = (random: Random): Rank => ({ from: 'oldest', n: random.between(0, 63) })

const key = (random: Random) => `key-${random.between(1, KEYS)}`
const fields = (random: Random) => FIELDS.filter(() => random.chance(0.5))

/** The weights of the contract; those of `spend` are our own. */
const ACTIONS: [weight: number, make: (random: Random) => Action][] = [
  [26, r => ({ kind: 'post', status: r.pick(CARD_STATUSES), idempotent: r.chance(1 / 4) })],
  [10, r => ({ kind: 'put', key: key(r), idempotent: r.chance(1 / 8) })],
  [16, r => ({ kind: 'patch', card: newest(r), idempotent: r.chance(1 / 8) })],
  [6, r => ({ kind: 'patch', card: newest(r), status: r.pick(CARD_STATUSES), fields: fields(r) })],
  [4, r => ({ kind: 'refused', card: newest(r), key: key(r), how: r.pick(REFUSALS) })],
  [6, r => ({ kind: 'delete', card: newest(r) })],
  [2, r => ({ kind: 'patch', card: oldest(r) })],
  [1, r => ({ kind: 'delete', card: oldest(r) })],
  [4, r => ({ kind: 'get', card: newest(r) })],
  [1, r => ({ kind: 'get key', key: key(r) })],
  [3, r => ({ kind: 'list', limit: r.pick([10, 50, 200]) })],
  [4, r => ({ kind: 'page', back: Math.floor(r.fraction() ** 2 * 8) })],
  [10, r => ({ kind: 'interact', act: r.pick(ACTS), card: newest(r), repeated: r.chance(1 / 5) })],
  [1, r => ({ kind: 'redeliver', back: r.between(0, 9) })],
  [1, r => ({ kind: r.pick(['rotate', 'webhook'] as const) })],
  [1, r => ({ kind: r.pick(['head', 'add action', 'remove action'] as const) })],
  [1, r => ({ kind: 'attribute', name: `attribute-${r.between(1, 3)}` })],
  [2, r => ({ kind: 'revoke', right: r.pick(RIGHTS) })],
  [1, r => ({ kind: r.pick(['create channel', 'delete channel'] as const) })],
  [SPEND_WEIGHT, () => ({ kind: 'spend' })],
]

/** What needs one instance only. A write with an Idempotency-Key is repeated on another one. */
const CORE_ACTIONS: [weight: number, make: (random: Random) => Action][] = [
  [6, r => ({ kind: 'post', status: r.pick(CARD_STATUSES), idempotent: false })],
  [3, r => ({ kind: 'patch', card: newest(r) })],
  [1, r => ({ kind: 'get', card: newest(r) })],
]

/** One after another, every kind at least once if there are enough. */
function makeFaults(random: Random, { faults, instances, bus }: Size): Fault[] {
  const kinds = Array.from({ length: faults }, (_, i) => FAULT_KINDS[i] ?? random.pick(FAULT_KINDS))
  let at = RAMP_MS
  return shuffled(random, kinds).map(kind => {
    const fault: Fault = {
      at,
      lasts: random.between(600, 1_500),
      ...makeFault(random, kind, random.between(0, instances - 1), bus),
    }
    at += fault.lasts + random.between(200, 600)
    return fault
  })
}

function makeFault(random: Random, kind: RandomKind, instance: number, bus: Bus): FaultKind {
  if (kind !== 'partition') return { kind, instance }
  const link = random.pick(
    bus === 'postgres' ? (['front', 'postgres'] as const) : (['front', 'postgres', 'redis'] as const),
  )
  const way = random.pick(['up', 'down', 'both'] as const)
  return { kind, instance, link, way, how: random.pick(['stall', 'drop', 'cut'] as const) }
}

function shuffled<T>(random: Random, items: T[]): T[] {
  return items
    .map(item => ({ item, by: random.fraction() }))
    .sort((a, b) => a.by - b.by)
    .map(({ item }) => item)
}
