// Replays the writes of a channel, in the order of its log, through the model. Afterwards, the ranges of positions in
// which an answer was true can be read off.
import { bodyOf, type CardState } from '../model/cards.ts'
import { pageOf, touch } from '../model/pages.ts'
import { type Expected, emptyWorld, step, type World, type Write } from '../model/world.ts'
import { canonical } from './canonical.ts'
import type { Finding } from './files.ts'
import { type Located, type Placed, where } from './locate.ts'
import type { Operation } from './operations.ts'
import { EVERYWHERE, intersect, type Range, without } from './ranges.ts'

export type Replayed = {
  findings: Finding[]
  /** Of each write that took effect; from 1. */
  positions: Map<string, number>
  cards: Map<string, CardHistory>
  /** The last position of each turn that has one, in order. */
  turns: { seq: number; position: number }[]
  /** After all writes. */
  world: World
}

/** The states of a card, each until the next; null: it doesn't exist. `place`: its position among the channel's cards. */
type CardHistory = {
  created: number
  place: number
  states: { from: number; body: string | null; card: CardState | null }[]
}

export function replay(
  { placed, touches }: Pick<Located, 'placed' | 'touches'>,
  writes: Operation[],
): Replayed {
  const byOp = new Map(writes.map(write => [write.request.op, write]))
  const world = emptyWorld()
  const findings: Finding[] = []
  const positions = new Map<string, number>()
  const cards = new Map<string, CardHistory>()
  const turns: Replayed['turns'] = []

  let touched = 0
  /** A turn that is no operation on cards may change an archived page all the same. */
  const touchUntil = (order: number) => {
    for (; (touches[touched]?.order ?? Infinity) < order; touched++) {
      const { card_id = '', turn } = touches[touched] ?? {}
      const card = world.cards.get(card_id)
      world.left = turn?.oldest_page ?? 0
      if (card && turn) touch(world, card, turn.seq)
    }
  }

  for (const [i, { op, card_id, card, turn, order }] of placed.entries()) {
    touchUntil(order)
    const operation = byOp.get(op)
    const write = operation && writeOf(operation)
    // Another checker reports what no client sent, or what is there twice.
    if (!operation || !write || positions.has(op)) continue
    const position = i + 1
    positions.set(op, position)
    if (turns.at(-1)?.seq === turn.seq) turns.pop()
    turns.push({ seq: turn.seq, position })
    world.left = turn.oldest_page ?? 0
    const expected = joinedOr(operation, step(world, write, { new_id: card_id, seq: turn.seq }))
    const { answer } = operation
    if (answer && (answer.status !== expected.status || !includes(answer.body, expected.body)))
      findings.push({
        promise: 'P3',
        message: `${where(turn)}: ${write.kind} ${op} got ${answer.status} ${JSON.stringify(answer.body)}, and the log implies ${expected.status} ${JSON.stringify(expected.body)}`,
      })
    record(cards, card_id, position, world.cards.get(card_id))
    // The turn shows the card after its last write.
    const state = world.cards.get(card_id)
    if (card && state && isLast(placed, i) && !includes(card, bodyOf(state)))
      findings.push({
        promise: 'P5',
        message: `${where(turn)}: card ${card_id} is ${JSON.stringify(card)}, and the log implies ${JSON.stringify(bodyOf(state))}`,
      })
  }
  touchUntil(Infinity)
  return { findings, positions, cards, turns, world }
}

/** The answer of a second request that joined the question of the first one. */
function joinedOr({ answer }: Operation, expected: Expected): Expected {
  return includes(answer?.body, { joined: true }) ? { ...expected, status: 200 } : expected
}

function writeOf({ request }: Operation): Write | null {
  switch (request.kind) {
    case 'post':
    case 'put':
    case 'patch':
    case 'delete':
      return request
    default:
      return null
  }
}

/** Whether the turn has no later write of the same card. */
function isLast(placed: Placed[], i: number): boolean {
  const one = placed[i]
  for (let next = i + 1; placed[next]?.turn === one?.turn && placed[next]; next++)
    if (placed[next]?.card_id === one?.card_id) return false
  return true
}

function record(
  cards: Map<string, CardHistory>,
  id: string,
  position: number,
  state: CardState | undefined,
): void {
  const place = state?.position ?? 0
  const history = cards.get(id) ?? { created: position, place, states: [{ from: 0, body: null, card: null }] }
  history.states.push({
    from: position,
    body: state ? canonical(bodyOf(state)) : null,
    card: state ?? null,
  })
  cards.set(id, history)
}

/** Where a card looked like this; null: where it didn't exist. */
export function rangesOf({ cards }: Replayed, id: string, body: string | null): Range[] {
  // Nothing that took effect has ever created it.
  if (!cards.has(id)) return body === null ? EVERYWHERE : []
  return rangesWhere({ cards }, id, state => state.body === body)
}

export function whereItExists(replayed: Replayed, id: string): Range[] {
  return rangesWhere(replayed, id, ({ body }) => body !== null)
}

export function rangesWhere(
  { cards }: Pick<Replayed, 'cards'>,
  id: string,
  applies: (state: CardHistory['states'][number]) => boolean,
): Range[] {
  const states = cards.get(id)?.states ?? []
  return states.flatMap((state, i) => {
    const hi = (states[i + 1]?.from ?? Infinity) - 1
    return hi >= state.from && applies(state) ? [{ lo: state.from, hi }] : []
  })
}

/** Where no card had the key. */
export function whereKeyIsFree(replayed: Replayed, key: string): Range[] {
  let ranges = EVERYWHERE
  for (const id of replayed.cards.keys())
    for (const range of rangesWhere(replayed, id, ({ card }) => card?.key === key))
      ranges = without(ranges, range)
  return ranges
}

/** Where the newest cards were exactly these. `complete`: there were no older ones. */
export function rangesOfList(
  replayed: Replayed,
  listed: { id: string; body: string }[],
  complete: boolean,
): Range[] {
  let ranges = EVERYWHERE
  for (const { id, body } of listed) ranges = intersect(ranges, rangesOf(replayed, id, body))
  const ids = new Set(listed.map(({ id }) => id))
  const oldest = listed.at(-1)
  const since = complete || !oldest ? 0 : (replayed.cards.get(oldest.id)?.created ?? 0)
  for (const [id, { created }] of replayed.cards) {
    if (created < since || ids.has(id)) continue
    for (const range of whereItExists(replayed, id)) ranges = without(ranges, range)
  }
  return ranges
}

/** Where the cards of a page were exactly these. */
export function rangesOfPage(
  replayed: Replayed,
  page: number,
  listed: { id: string; body: string }[],
): Range[] {
  let ranges = EVERYWHERE
  for (const { id, body } of listed) ranges = intersect(ranges, rangesOf(replayed, id, body))
  const ids = new Set(listed.map(({ id }) => id))
  for (const [id, { place }] of replayed.cards) {
    if (ids.has(id) || pageOf(place) !== page) continue
    for (const range of whereItExists(replayed, id)) ranges = without(ranges, range)
  }
  return ranges
}

/** Whether `body` has everything of `expected`, with the same values. */
export function includes(body: unknown, expected: unknown): boolean {
  if (Array.isArray(expected) && Array.isArray(body))
    return body.length === expected.length && expected.every((item, i) => includes(body[i], item))
  if (!isObject(expected)) return body === expected
  return isObject(body) && Object.entries(expected).every(([name, value]) => includes(body[name], value))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
