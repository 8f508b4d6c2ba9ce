// Replays the writes of a channel, in the order of its log, through the model. Afterwards, the ranges of positions in
// which an answer was true can be read off.
import { bodyOf, type CardState } from '../model/cards.ts'
import { emptyWorld, step, type Write } from '../model/world.ts'
import type { Finding } from './files.ts'
import { type Placed, where } from './locate.ts'
import type { Operation } from './operations.ts'
import { intersect, type Range, without } from './ranges.ts'

export type Replayed = {
  findings: Finding[]
  /** Of each write that took effect; from 1. */
  positions: Map<string, number>
  cards: Map<string, CardHistory>
}

/** The states of a card, each until the next; null: it doesn't exist. */
type CardHistory = { created: number; states: { from: number; body: string | null }[] }

export function replay(placed: Placed[], writes: Operation[]): Replayed {
  const byOp = new Map(writes.map(write => [write.request.op, write]))
  const world = emptyWorld()
  const findings: Finding[] = []
  const positions = new Map<string, number>()
  const cards = new Map<string, CardHistory>()

  for (const [i, { op, card_id, card, turn }] of placed.entries()) {
    const operation = byOp.get(op)
    const write = operation && writeOf(operation)
    // Another checker reports what no client sent, or what is there twice.
    if (!operation || !write || positions.has(op)) continue
    const position = i + 1
    positions.set(op, position)
    const expected = step(world, write, card_id)
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
  return { findings, positions, cards }
}

function writeOf({ request }: Operation): Write | null {
  return request.kind === 'get' || request.kind === 'list' || request.kind === 'interact' ? null : request
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
  const history = cards.get(id) ?? { created: position, states: [{ from: 0, body: null }] }
  history.states.push({ from: position, body: state ? JSON.stringify(bodyOf(state)) : null })
  cards.set(id, history)
}

/** Where a card looked like this; null: where it didn't exist. */
export function rangesOf({ cards }: Replayed, id: string, body: string | null): Range[] {
  const history = cards.get(id)
  // Nothing that took effect has ever created it.
  if (!history) return body === null ? [{ lo: 0, hi: Infinity }] : []
  return history.states.flatMap(({ from, body: other }, i) => {
    const hi = (history.states[i + 1]?.from ?? Infinity) - 1
    return other === body && hi >= from ? [{ lo: from, hi }] : []
  })
}

export function whereItExists({ cards }: Replayed, id: string): Range[] {
  return (cards.get(id)?.states ?? []).flatMap(({ from, body }, i, states) => {
    return body === null ? [] : [{ lo: from, hi: (states[i + 1]?.from ?? Infinity) - 1 }]
  })
}

/** Where the newest cards were exactly these. `complete`: there were no older ones. */
export function rangesOfList(
  replayed: Replayed,
  listed: { id: string; body: string }[],
  complete: boolean,
): Range[] {
  let ranges: Range[] = [{ lo: 0, hi: Infinity }]
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

/** Whether `body` has everything of `expected`, with the same values. */
function includes(body: unknown, expected: unknown): boolean {
  if (Array.isArray(expected) && Array.isArray(body))
    return body.length === expected.length && expected.every((item, i) => includes(body[i], item))
  if (!isObject(expected)) return body === expected
  return isObject(body) && Object.entries(expected).every(([name, value]) => includes(body[name], value))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
