// Who waits for the questions of a plan, and which questions end when nobody does. Pure. Drawn apart from the rest of a plan, so
// that a seed's other operations stay as they are.
import type { Waiters } from './actions.ts'
import type { Operation } from './plan.ts'
import type { Random } from './random.ts'

type Asking = Operation & { kind: 'ask' }

/** Every third read becomes a change instead. */
const CHANGE_EVERY = 3

/** In turn, in the first half of the operations: so they end before the run does. */
const LEAVING: ((random: Random) => Waiters)[] = [
  random => ({ kind: 'leave', after_ms: random.between(300, 1_500) }),
  () => ({ kind: 'never' }),
  random => ({ kind: 'return', after_ms: random.between(300, 1_500), away_ms: random.between(500, 2_500) }),
]

/** `posts`: the operations of each poster. */
export function withWaiters(random: Random, posts: Operation[][]): Operation[][] {
  let [leaving, staying, reads] = [0, 0, 0]
  const half = Math.max(0, ...posts.flat().map(({ at }) => at)) / 2
  const change = (operation: Operation): Operation => {
    if (operation.kind === 'read decision' && ++reads % CHANGE_EVERY === 0) {
      const { kind: _, ...rest } = operation
      return { ...rest, kind: 'abandon', abandon: random.pick(['keep', 'cancel'] as const) }
    }
    if (operation.kind !== 'ask' || !isPlain(operation)) return operation
    if (operation.at > half)
      return ++staying % 2 === 1 ? abandonable(operation, { kind: 'stay' }, true) : operation
    const make = LEAVING[leaving++ % LEAVING.length]
    // After the first round, they may be pressed too.
    return make ? abandonable(operation, make(random), leaving <= LEAVING.length) : operation
  }
  return posts.map(operations => operations.map(change))
}

const isPlain = ({ question, twice }: Asking) =>
  question.key === null && question.expires_in === null && !twice

const abandonable = (operation: Asking, waiters: Waiters, apart: boolean): Asking => ({
  ...operation,
  question: { ...operation.question, abandon: 'cancel' },
  waiters,
  apart,
})
