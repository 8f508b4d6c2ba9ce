// After a failover or a restore, the other checkers read the run without what was lost. lost.ts checks what may be lost.
import type { TappedTurn } from '../cluster/tap.ts'
import { losesHistory } from '../faults.ts'
import { groupBy } from '../group.ts'
import type { Tried } from '../load/posters.ts'
import type { Mark } from '../run.ts'
import { byChannel, type Files, type Finding } from './files.ts'
import { locate, type Placed } from './locate.ts'
import { isAcknowledged, isWrite, operationsOf } from './operations.ts'

type Checker = (files: Files) => Finding[]
type FaultMark = Extract<Mark, { kind: 'fault' }>

/** The last fault that may lose history. */
export function lossOf(marks: Mark[]): FaultMark | undefined {
  return marks.findLast((mark): mark is FaultMark => mark.kind === 'fault' && losesHistory(mark.fault))
}

/** No delivery is sent again by itself after a loss: the receiver's record is older than the database. */
export function checkSentOnce({ marks, delivered, tried }: Files): Finding[] {
  if (!lossOf(marks)) return []
  const sent = groupBy(delivered, ({ webhook_id }) => webhook_id)
  return [...sent].flatMap(([id, { length }]) => {
    const asked = operationsOf(tried).filter(
      one =>
        one.request.kind === 'redeliver' &&
        one.request.interaction_id === id &&
        (one.answer === null || isAcknowledged(one)),
    ).length
    if (length <= 1 + asked) return []
    const message = `the delivery ${id} was sent ${length} times, and ${asked} redeliveries were asked for`
    return [{ promise: 'P8', message }]
  })
}

/**
 * The run without what was lost. A read, a refusal or an interaction counts only if it came after the loss had been
 * noticed, because what it saw may be gone. An acknowledged write always counts, unless it is in a turn that was lost.
 */
export function withoutLost(checker: Checker): Checker {
  return files => {
    const loss = lossOf(files.marks)
    if (!loss) return checker(files)
    const stayed = new Set(placedIn(files.turns, files.tried).map(({ op }) => op))
    const gone = lostOps(files)
    const lost_at = Math.max(0, ...files.lost.map(({ at }) => at))
    const tried = files.tried.filter(one => {
      const { op } = one.request
      // A write with an Idempotency-Key may have been lost and done again.
      if (gone.has(op)) return stayed.has(op) && one.end > lost_at
      return stayed.has(op) || one.end > loss.ended || isAcknowledgedWrite(one)
    })
    const acts = new Set(
      tried.flatMap(({ request }) =>
        request.kind === 'interact' || request.kind === 'press' ? [request.interaction_id] : [],
      ),
    )
    const delivered = files.delivered.filter(({ webhook_id }) => acts.has(webhook_id))
    const deliveries = files.deliveries.filter(({ interaction_id }) => acts.has(interaction_id))
    return checker({ ...files, tried, delivered, deliveries })
  }
}

const isAcknowledgedWrite = (one: Tried) =>
  operationsOf([one]).some(all => isWrite(all) && isAcknowledged(all))

/** The operations of the turns that were lost. Those turns continue the log of their epoch; a new epoch doesn't. */
function lostOps({ turns, lost, tried }: Files): Set<string> {
  const ids = new Set(lost.map(({ turn_id }) => turn_id))
  const last = new Map(lost.map(({ channel_id, epoch }) => [channel_id, epoch]))
  const old = turns.filter(({ channel_id, epoch }) => epoch <= (last.get(channel_id) ?? -1))
  const log = [...old, ...lost].sort((a, b) => a.epoch - b.epoch || a.seq - b.seq || a.n - b.n)
  return new Set(placedIn(log, tried).flatMap(({ op, turn }) => (ids.has(turn.turn_id) ? [op] : [])))
}

function placedIn(turns: TappedTurn[], tried: Tried[]): Placed[] {
  const operations = byChannel(operationsOf(tried))
  return [...byChannel(turns)].flatMap(
    ([channel_id, log]) => locate(log, (operations.get(channel_id) ?? []).filter(isWrite)).placed,
  )
}
