// P5 and P6 for workspace pages: each shows counts that the channel had, never goes back, and follows soon.
import type { TappedTurn } from '../cluster/tap.ts'
import { groupBy } from '../group.ts'
import { byChannel, type Files, type Finding, phaseOf } from './files.ts'
import { deadlineOf } from './rights.ts'

/** At once after a first change, then once a second; and a count may be read just before it changes. */
const CALM_S = 3

type Timed = Pick<Files, 'marks' | 'machine'>
/** A page's count of a channel, from `at` on. */
type Shown = { at: number; count: number }

export function checkLive({
  turns,
  live,
  ...timed
}: Pick<Files, 'turns' | 'live' | 'marks' | 'machine'>): Finding[] {
  const may_go_back = timed.marks.some(({ kind }) => kind === 'lost history')
  if (may_go_back) return []
  return [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const counts = countsOf(log)
    return [...groupBy(live, ({ instance }) => instance)].flatMap(([instance, records]) => {
      const shown = records.flatMap(({ at, counts: all }): Shown[] => {
        const count = all[channel_id]
        return count === undefined ? [] : [{ at, count }]
      })
      const name = `the workspace page of instance ${instance}`
      return shown.length === 0 ? [] : checkPage(`${name}, channel ${channel_id},`, shown, counts, timed)
    })
  })
}

/** After each turn that changes it. */
function countsOf(log: TappedTurn[]): Shown[] {
  let count = 0
  return log.flatMap(({ at, events }) => {
    const before = count
    for (const { type } of events ?? []) {
      if (type === 'card.inserted') count++
      if (type === 'card.deleted') count--
    }
    return count === before ? [] : [{ at, count }]
  })
}

function checkPage(name: string, shown: Shown[], counts: Shown[], timed: Timed): Finding[] {
  const findings: Finding[] = []
  const end = phaseOf(timed.marks, 'end')
  /** The last change that the page shows for certain. */
  let last = -1
  let next = 0
  for (const [i, change] of counts.entries()) {
    // Moves on to the first message that comes after the time for this change.
    const limit = deadlineOf(change.at, timed, CALM_S)
    while (next < shown.length && (shown[next]?.at ?? 0) <= limit) {
      const { count } = shown[next] ?? { count: 0 }
      const at = counts.findIndex((other, n) => n >= last && other.count === count)
      if (count !== 0 && at === -1)
        findings.push({
          promise: 'P5',
          message: `${name} shows ${count} cards, and goes back or invents them`,
        })
      else last = Math.max(last, at)
      next++
    }
    // The latest place that fits what it shows last: a count may come again.
    const possible = counts.findLastIndex(({ count }) => count === shown[next - 1]?.count)
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
