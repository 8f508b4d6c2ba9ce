// P5 and P6 for workspace pages: each shows counts that the channel had, never goes back while it stays connected, and
// follows soon.
import type { TappedTurn } from '../cluster/tap.ts'
import { groupBy } from '../group.ts'
import { byChannel, type Files, type Finding, phaseOf } from './files.ts'
import { heardBy, soonAfter } from './heard.ts'
import { deadlineOf } from './rights.ts'

/** At once after a first change, then once a second; and a count may be read just before it changes. */
const CALM_S = 3
/** Once an event stream of the same instance has told of the change. */
const HEARD_S = 2.5

type Count = { at: number; count: number; turn: TappedTurn }
/** Until when a page must show a change. */
type LimitOf = (change: Count) => number
/** A page's count of a channel, from `at` on; null: it has just joined an instance, and shows what that one read last. */
type Shown = { at: number; count: number | null }

export function checkLive({
  turns,
  live,
  heard,
  ...timed
}: Pick<Files, 'turns' | 'live' | 'heard' | 'marks' | 'machine'>): Finding[] {
  const may_go_back = timed.marks.some(({ kind }) => kind === 'lost history')
  if (may_go_back) return []
  const heardAt = heardBy({ heard, ...timed })
  return [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const counts = countsOf(log)
    return [...groupBy(live, ({ instance }) => instance)].flatMap(([instance, records]) => {
      const shown = records.flatMap(({ at, counts: all, joins }): Shown[] => {
        if (joins) return [{ at, count: null }]
        const count = all[channel_id]
        return count === undefined ? [] : [{ at, count }]
      })
      const name = `the workspace page of instance ${instance}`
      const limitOf: LimitOf = ({ at, turn: { epoch, seq } }) => {
        const known = heardAt(channel_id, instance, ({ id }) => id.startsWith(`${epoch}.${seq}.`))
        return Math.min(deadlineOf(at, timed, CALM_S), soonAfter(known, timed, HEARD_S))
      }
      return shown.every(({ count }) => count === null)
        ? []
        : checkPage(`${name}, channel ${channel_id},`, shown, counts, limitOf, phaseOf(timed.marks, 'end'))
    })
  })
}

/** After each turn that changes it. */
function countsOf(log: TappedTurn[]): Count[] {
  let count = 0
  return log.flatMap(turn => {
    const before = count
    for (const { type } of turn.events ?? []) {
      if (type === 'card.inserted') count++
      if (type === 'card.deleted') count--
    }
    return count === before ? [] : [{ at: turn.at, count, turn }]
  })
}

function checkPage(name: string, shown: Shown[], counts: Count[], limitOf: LimitOf, end: number): Finding[] {
  const findings: Finding[] = []
  /** The last change that the page shows for certain. */
  let last = -1
  let next = 0
  for (const [i, change] of counts.entries()) {
    // Moves on to the first message that comes after the time for this change.
    const limit = limitOf(change)
    while (next < shown.length && (shown[next]?.at ?? 0) <= limit) {
      const { count = null } = shown[next] ?? {}
      next++
      if (count === null) {
        // Earlier changes have had their time.
        last = Math.min(last, i - 1)
        continue
      }
      const at = counts.findIndex((other, n) => n >= last && other.count === count)
      if (count !== 0 && at === -1)
        findings.push({
          promise: 'P5',
          message: `${name} shows ${count} cards, and goes back or invents them`,
        })
      else last = Math.max(last, at)
    }
    // The latest place that fits what it shows last: a count may come again.
    const shows = shown.slice(0, next).findLast(({ count }) => count !== null)
    const possible = counts.findLastIndex(({ count }) => count === shows?.count)
    if (limit > end || possible >= i) continue
    const late = ((limit - change.at) / 1e6).toFixed(1)
    findings.push({
      promise: 'P6',
      message: `${name} lacks a change to ${change.count} cards after ${late} s`,
    })
    break
  }
  return findings
}
