// What automations and viewers felt of each fault of a run, and for how long. A request counts for the fault that began
// last before its end. What lasts into the next fault is cut there, and the rest counts for that one.
import { byChannel, type Files, phaseOf } from './check/files.ts'
import { locate } from './check/locate.ts'
import { isAcknowledged, isWrite, operationsOf } from './check/operations.ts'
import { foldLog, keyOf } from './check/viewers.ts'
import type { Fault } from './faults.ts'
import { groupBy } from './group.ts'
import type { Seen } from './load/viewers.ts'
import type { Mark } from './run.ts'

/** Durations in milliseconds. */
export type Felt = {
  /** Its kind and what it hit. */
  fault: string
  lasted: number
  /** Null: it had no effect. */
  evidence: string | null
  requests: number
  /** Answered with 503, or not answered. */
  failed: number
  /** From the fault's begin to the end of the last request that failed; 0 if none did. */
  failing: number
  slowest: number
  /** Connections that viewers lost. */
  lost: number
  /** The longest that a viewer had no connection. */
  away: number
  /** The longest from an acknowledgement until a viewer showed the write. */
  late: number
}

export type Convergence = {
  /** From the heal until the last viewer showed everything. */
  heal: number
  /** The longest from an acknowledgement until a viewer showed the write, when nothing is broken. */
  calm: number
}

type Part = Pick<Files, 'marks' | 'seen' | 'tried' | 'turns'>
type Span = { from: number; to: number }

export function feltOf(files: Part): { felt: Felt[]; convergence: Convergence } {
  const { marks, seen, tried } = files
  const resume = phaseOf(marks, 'resume')
  const faults = faultsOf(marks)
  const { late, heal } = latenessOf(files)
  const away = awayOf(seen)
  const felt = faults.map(({ at, ended, name, evidence }, i) => {
    const until = faults[i + 1]?.at ?? resume
    const within = <T>(items: T[], when: (item: T) => number) =>
      items.filter(item => when(item) >= at && when(item) < until)
    const requests = within(tried, ({ end }) => end)
    const failed = requests.filter(({ answer }) => answer === null || answer.status >= 500)
    const longest = (spans: Span[]) =>
      ms(highest(spans.map(({ from, to }) => Math.min(to, until) - Math.max(from, at))))
    return {
      fault: name,
      lasted: ms(ended - at),
      evidence,
      requests: requests.length,
      failed: failed.length,
      failing: ms(highest(failed.map(({ end }) => end - at))),
      slowest: ms(highest(requests.map(({ begin, end }) => end - begin))),
      lost: within(away, ({ from }) => from).length,
      away: longest(away),
      late: longest(late),
    }
  })
  const calm = ms(highest(late.filter(({ from }) => from >= resume).map(({ from, to }) => to - from)))
  return { felt, convergence: { heal, calm } }
}

type Happened = { name: string; at: number; ended: number; evidence: string | null }

/** In order. Those of a liveness phase count as one. */
function faultsOf(marks: Mark[]): Happened[] {
  const faults = marks.filter(mark => mark.kind === 'fault')
  const alone = faults
    .filter(({ together }) => !together)
    .map(({ at, ended, fault, evidence }) => ({ name: nameOf(fault), at, ended, evidence }))
  const phase = faults.filter(({ together }) => together)
  const [first] = phase
  if (first) {
    const at = Math.min(...phase.map(fault => fault.at))
    const ended = highest(phase.map(fault => fault.ended))
    alone.push({ name: 'all but one instance', at, ended, evidence: first.evidence })
  }
  return alone.sort((a, b) => a.at - b.at)
}

/** Its kind and its other words, such as the link of a partition. */
function nameOf(fault: Fault): string {
  if (fault.kind === 'kill' && fault.after && 'drain_ms' in fault.after) return 'kill, in a drain'
  const words = Object.entries(fault).filter(
    ([name, value]) => name !== 'kind' && name !== 'way' && typeof value === 'string',
  )
  return [fault.kind, ...words.map(([, word]) => word)].join(', ')
}

const ms = (microseconds: number) => Math.round(microseconds / 1000)
const highest = (values: number[]) => values.reduce((max, value) => Math.max(max, value), 0)

/** How long each viewer was without a connection, from the moment it lost one. */
function awayOf(seen: Seen[]): Span[] {
  const spans: Span[] = []
  const since = new Map<number, number>()
  for (const { viewer, at, kind } of seen) {
    // A try that fails closes too.
    if (kind === 'closed' && !since.has(viewer)) since.set(viewer, at)
    const lost = since.get(viewer)
    if (kind !== 'opened' || lost === undefined) continue
    spans.push({ from: lost, to: at })
    since.delete(viewer)
  }
  return spans
}

/** How much later than its acknowledgement each viewer showed each turn. */
export function latenessOf({ tried, turns, seen, marks }: Part): { late: Span[]; heal: number } {
  const [ramp, healed, resume] = (['ramp', 'heal', 'resume'] as const).map(phase => phaseOf(marks, phase))
  const operations = byChannel(operationsOf(tried))
  const viewers = byChannel(seen)
  const late: Span[] = []
  let heal = 0
  for (const [channel_id, log] of byChannel(turns)) {
    const writes = (operations.get(channel_id) ?? []).filter(isWrite)
    const acknowledged = new Map(
      writes.filter(isAcknowledged).map(({ request, end }) => [request.op, end] as const),
    )
    const ends = foldLog(log, new Set())
    const numbers = new Map(log.map((turn, i) => [turn, i]))
    const acks = new Map<number, number>()
    for (const { op, turn } of locate(log, writes).placed) {
      const [number, at] = [numbers.get(turn), acknowledged.get(op)]
      if (number === undefined || at === undefined || at < (ramp ?? 0)) continue
      acks.set(number, Math.min(at, acks.get(number) ?? Infinity))
    }
    const last = log.findLastIndex(({ at }) => at <= (resume ?? Infinity))
    const settled = Math.max(healed ?? Infinity, acks.get(last) ?? log[last]?.at ?? 0)
    for (const records of groupBy(viewers.get(channel_id) ?? [], ({ viewer }) => viewer).values()) {
      const shown = firstShown(records, ends, log.length)
      for (const [number, at] of acks) {
        const seen_at = shown[number]
        if (seen_at !== undefined) late.push({ from: at, to: Math.max(at, seen_at) })
      }
      heal = Math.max(heal, ms((shown[last] ?? settled) - settled))
    }
  }
  return { late, heal }
}

/** For each turn, when the viewer first showed it or a later one. */
function firstShown(
  records: Seen[],
  ends: ReturnType<typeof foldLog>,
  count: number,
): (number | undefined)[] {
  const shown: (number | undefined)[] = Array.from({ length: count })
  let next = 0
  for (const record of records) {
    if (record.kind !== 'shows') continue
    const turn = ends.get(keyOf(record))?.turn ?? -1
    for (; next <= turn; next++) shown[next] = record.at
  }
  return shown
}
