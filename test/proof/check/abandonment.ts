// D9: a question that may be abandoned ends soon after its last waiter has left, and not while one waits or comes back in time.
import { groupBy } from '../group.ts'
import type { Waited } from '../load/questions.ts'
import { END_S, lastSupport, mayEndFrom, type Trouble } from '../model/leases.ts'
import type { Mark } from '../run.ts'
import { type Files, type Finding, phaseOf } from './files.ts'
import { type Asked, questionsOf } from './questions.ts'
import { deadlineOf } from './rights.ts'

const S = 1_000_000
const AWAY = S / 2

type Timed = Pick<Files, 'marks' | 'machine'>
type Change = { at: number; abandon: string }

export function checkAbandonment({
  turns,
  waits,
  ...timed
}: Pick<Files, 'turns' | 'waits'> & Timed): Finding[] {
  // Leases are in the database's time.
  if (timed.marks.some(mark => mark.kind === 'fault' && mark.fault.kind === 'clock' && 'of' in mark.fault))
    return []
  const changes = changesIn(turns)
  const waitsOf = groupBy(waits, ({ decision_id }) => decision_id)
  return [...questionsOf(turns).values()].flatMap(question => {
    const own = waitsOf.get(question.id) ?? []
    const changed = changes.get(question.id) ?? []
    return [...checkEarly(question, own, changed, timed), ...checkLate(question, own, changed, timed)]
  })
}

export const isAbandoned = ({ ends }: Pick<Asked, 'ends'>) => ends[0]?.decision.reason === 'abandoned'

/** Whether its waiters were away for a while, and it stayed. */
export function isKept({ decision, ends }: Asked, waits: Waited[]): boolean {
  if (decision.abandon !== 'cancel' || isAbandoned({ ends })) return false
  return waits.some(({ begin }) => {
    const earlier = waits.filter(wait => wait.begin < begin)
    return earlier.length > 0 && begin - Math.max(...earlier.map(({ end }) => end ?? Infinity)) > AWAY
  })
}

function checkEarly(question: Asked, waits: Waited[], changes: Change[], { marks }: Timed): Finding[] {
  const [end] = question.ends
  if (!end || !isAbandoned(question)) return []
  const wrong = (what: string) => [
    { promise: 'D9', message: `decision ${question.id} ended as abandoned, ${what}` },
  ]
  if (end.decision.abandon !== 'cancel') return wrong('and should be kept')
  const { at } = end.turn
  const supports = waits.flatMap(wait => {
    const support = lastSupport({ ...wait, end: wait.end ?? Infinity }, troublesOf(wait.instance, marks), at)
    return support ?? []
  })
  // A question that was kept may have had another waiter's lease.
  const from = mayEndFrom(changes.length > 1 ? -Infinity : question.turn.at, supports)
  const since =
    supports.length > 0 ? `${((at - Math.max(...supports)) / S).toFixed(1)} s after somebody waited` : ''
  return at >= from ? [] : wrong(since || `${((at - question.turn.at) / S).toFixed(1)} s after it was asked`)
}

function checkLate({ id, turn, ends }: Asked, waits: Waited[], changes: Change[], timed: Timed): Finding[] {
  const last = changes.at(-1)
  if (last?.abandon !== 'cancel') return []
  const left = Math.max(turn.at, last.at, ...waits.map(({ end }) => end ?? Infinity))
  // Somebody waited until the run was over.
  if (left === Infinity) return []
  const limit = deadlineOf(left, timed, END_S.calm, END_S.after_fault)
  const ended = ends[0]?.turn.at ?? phaseOf(timed.marks, 'end')
  if (ended <= limit || ended === Infinity) return []
  const message = `decision ${id} was open ${((ended - left) / S).toFixed(1)} s after its last waiter had left`
  return [{ promise: 'D9', message }]
}

/** Faults that may keep the instance from renewing leases. Behind a balancer, nobody knows which one a client is connected to. */
function troublesOf(instance: number, marks: Mark[]): Trouble[] {
  const faults = marks.filter(mark => mark.kind === 'fault')
  const balanced = faults.some(({ fault }) => fault.kind === 'restart')
  return faults.filter(({ fault }) => balanced || !('instance' in fault) || fault.instance === instance)
}

/** By decision: what cards said of `abandon`, whenever it changed. */
function changesIn(turns: Files['turns']): Map<string, Change[]> {
  const changes = new Map<string, Change[]>()
  for (const { at, events } of turns)
    for (const { data } of events ?? []) {
      if (!('blocks' in data)) continue
      for (const block of data.blocks) {
        if (block.type !== 'button' || !block.decision) continue
        const { id, abandon } = block.decision
        const own = changes.get(id) ?? []
        if (own.at(-1)?.abandon !== abandon) changes.set(id, [...own, { at, abandon }])
      }
    }
  return changes
}
