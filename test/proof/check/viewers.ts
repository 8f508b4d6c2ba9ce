// P5 and P6: a viewer always shows the channel after some turn of its log, never goes back, and is complete soon after
// the faults have ended.
import * as Y from 'yjs'
import type { TappedTurn } from '../cluster/tap.ts'
import { clocksOf, digestOf } from '../load/digest.ts'
import type { Seen } from '../load/viewers.ts'
import { byChannel, type Files, type Finding, phaseOf } from './files.ts'
import { keyOfClocks, statesOf } from './lost.ts'
import { slownessIn } from './machine.ts'

const CONVERGED_MS = 10_000
/** The run waits longer than that for a viewer that misses something. */
const SLOW_MAX = 4

type Shows = Extract<Seen, { kind: 'shows' }>
/** By `client:clock`: the number of the turn and what it shows. */
type Ends = Map<string, { turn: number; digest: string }>

export function checkViewers({ turns, lost, seen, ...timed }: Files): Finding[] {
  const viewers = byChannel(seen)
  const gone = byChannel(lost)
  return [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const all = viewers.get(channel_id) ?? []
    const shown = all.filter(one => one.kind === 'shows')
    const ends = foldLog(log, new Set(shown.map(keyOf)))
    // checkLost says for how long these may be shown.
    const forgotten = statesOf(log, gone.get(channel_id) ?? [])
    const findings: Finding[] = []
    for (const [viewer, records] of byViewer(all)) {
      const name = `viewer ${viewer} of channel ${channel_id}`
      findings.push(...checkPrefix(name, records, ends, forgotten))
      findings.push(...checkConvergence(name, records, ends, log, timed))
    }
    return findings
  })
}

export const keyOf = ({ clocks }: Pick<Shows, 'clocks'>) => keyOfClocks(clocks)

function byViewer(records: Seen[]): Map<number, Seen[]> {
  const viewers = new Map<number, Seen[]>()
  for (const record of records) viewers.set(record.viewer, [...(viewers.get(record.viewer) ?? []), record])
  return viewers
}

/** Digests only what is wanted. */
export function foldLog(log: TappedTurn[], wanted: Set<string>): Ends {
  const ends: Ends = new Map()
  let doc = new Y.Doc()
  for (const [turn, { epoch, update }] of log.entries()) {
    // An epoch begins with the whole document, under another client id.
    if (epoch !== log[turn - 1]?.epoch) doc = new Y.Doc()
    Y.applyUpdate(doc, Buffer.from(update, 'base64'))
    const key = keyOf({ clocks: clocksOf(doc) })
    ends.set(key, { turn, digest: wanted.has(key) ? digestOf(doc) : '' })
  }
  return ends
}

function checkPrefix(name: string, records: Seen[], ends: Ends, forgotten: Set<string>): Finding[] {
  const findings: Finding[] = []
  let latest = -1
  for (const record of records) {
    if (record.kind === 'starts over') latest = -1
    if (record.kind !== 'shows' || forgotten.has(keyOf(record))) continue
    const end = ends.get(keyOf(record))
    const wrong = (what: string) =>
      findings.push({ promise: 'P5', message: `${name} ${what} (${keyOf(record)})` })
    if (!end) wrong('shows a state that no turn of the log ends with')
    else if (record.digest !== null && end.digest !== record.digest)
      wrong(`shows something else than turn ${end.turn} of the log`)
    else if (end.turn < latest) wrong(`goes back from turn ${latest} to ${end.turn}`)
    latest = Math.max(latest, end?.turn ?? -1)
  }
  return findings
}

/** In the quiet phase, when no write helps, and again at the end. */
function checkConvergence(
  name: string,
  records: Seen[],
  ends: Ends,
  log: TappedTurn[],
  { marks, machine }: Pick<Files, 'marks' | 'machine'>,
): Finding[] {
  const limits = [phaseOf(marks, 'resume'), phaseOf(marks, 'end')].filter(limit => limit !== Infinity)
  // A viewer that misses the quiet phase's last turn misses it at the end too, if nothing was written since.
  const goals = new Map(limits.reverse().map(limit => [log.findLastIndex(({ at }) => at <= limit), limit]))
  return [...goals].flatMap(([last, limit]) => {
    const complete = records.find(
      record => record.kind === 'shows' && (ends.get(keyOf(record))?.turn ?? -1) >= last,
    )
    const since = Math.max(phaseOf(marks, 'heal'), log[last]?.at ?? 0)
    const missed = !complete || complete.at > limit
    const took_ms = Math.round(((missed ? limit : complete.at) - since) / 1000)
    const slow = slownessIn({ machine }, since, since + CONVERGED_MS * 1000)
    if (took_ms <= CONVERGED_MS * Math.min(slow, SLOW_MAX)) return []
    const message = missed
      ? `${name} lacked turn ${last} for ${took_ms} ms after the heal`
      : `${name} showed turn ${last} ${took_ms} ms after the heal`
    return [{ promise: 'P6', message }]
  })
}
