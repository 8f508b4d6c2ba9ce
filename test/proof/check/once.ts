// P1 and P2: no acknowledged write is lost, none is done twice, and the log holds nothing that no client sent. P14: while
// the database is away, requests get 503, never 500.
import type { TappedTurn } from '../cluster/tap.ts'
import { byChannel, type Files, type Finding } from './files.ts'
import { locate, type Placed, where } from './locate.ts'
import { isAcknowledged, isWrite, type Operation, operationsOf } from './operations.ts'

export function checkOnce({ tried, turns }: Files): Finding[] {
  const operations = byChannel(operationsOf(tried))
  const crashes = tried.filter(({ answer }) => answer?.status === 500)
  const found = crashes.map(({ request }) => ({
    promise: 'P14',
    message: `${request.kind} ${request.op} got 500`,
  }))
  const inLogs = [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const writes = (operations.get(channel_id) ?? []).filter(isWrite)
    const { placed, findings } = locate(log, writes)
    return [...findings, ...checkWrites(writes, placed), ...checkLog(log)]
  })
  return [...found, ...inLogs]
}

function checkWrites(writes: Operation[], placed: Placed[]): Finding[] {
  const findings: Finding[] = []
  const places = new Map<string, Placed[]>()
  for (const one of placed) places.set(one.op, [...(places.get(one.op) ?? []), one])
  const sent = new Map(writes.map(write => [write.request.op, write]))
  for (const [op, write] of sent) {
    if (isAcknowledged(write) && !places.has(op))
      findings.push({
        promise: 'P1',
        message: `${nameOf(write)} got ${write.answer?.status} and is not in the log`,
      })
  }
  for (const [op, all] of places) {
    const at = all.map(({ turn }) => where(turn)).join(' and ')
    const write = sent.get(op)
    if (all.length > 1)
      findings.push({ promise: 'P2', message: `${op} is in the log ${all.length} times: ${at}` })
    if (!write) findings.push({ promise: 'P2', message: `${op} is in the log, and no client sent it: ${at}` })
    else if (write.answer && !isAcknowledged(write))
      findings.push({
        promise: 'P2',
        message: `${nameOf(write)} got ${write.answer.status} and is in the log: ${at}`,
      })
  }
  return findings
}

const nameOf = ({ request: { op, kind } }: Operation) => `${kind} ${op}`

/** Seqs are dense, clocks rise within an epoch, and no seq of an epoch has two contents. */
function checkLog(log: TappedTurn[]): Finding[] {
  const findings: Finding[] = []
  for (const [i, turn] of log.entries()) {
    const before = log[i - 1]
    if (!before) continue
    const wrong = (what: string) => findings.push({ promise: 'P2', message: `${where(turn)} ${what}` })
    if (before.epoch === turn.epoch && before.seq === turn.seq) {
      if (before.turn_id !== turn.turn_id) wrong('has two contents')
      continue
    }
    if (turn.seq !== before.seq + 1) wrong(`follows seq ${before.seq}`)
    if (before.epoch === turn.epoch && turn.clock <= before.clock)
      wrong(`has clock ${turn.clock} after ${before.clock}`)
  }
  return findings
}
