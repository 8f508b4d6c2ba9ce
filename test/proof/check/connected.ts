// P6 and P14: a fault that doesn't hit a viewer's own connection doesn't cost it that connection.
import type { Fault } from '../faults.ts'
import { groupBy } from '../group.ts'
import type { Seen } from '../load/viewers.ts'
import type { Files, Finding } from './files.ts'

/** The promise, if viewers must stay connected during the fault; null for other faults. */
function promiseOf(fault: Fault): 'P6' | 'P14' | null {
  switch (fault.kind) {
    case 'clock':
      return 'P6'
    case 'backlog':
    case 'connections':
    case 'locked row':
    case 'disk':
    case 'postgres':
    case 'lost answers':
    case 'redis':
      return 'P14'
    case 'partition':
      return fault.link === 'front' ? null : 'P14'
    default:
      return null
  }
}

const isChange = ({ kind }: Seen) => kind === 'opened' || kind === 'closed'

export function checkConnected({ marks, seen }: Pick<Files, 'marks' | 'seen'>): Finding[] {
  const viewers = groupBy(seen.filter(isChange), ({ viewer }) => viewer)
  return marks.flatMap(mark => {
    if (mark.kind !== 'fault' || mark.together) return []
    const { fault, at, ended } = mark
    const promise = promiseOf(fault)
    if (promise === null) return []
    return [...viewers].flatMap(([viewer, changes]) => {
      const before = changes.findLast(change => change.at <= at)
      const lost = changes.find(change => change.at > at && change.at <= ended)
      if (before?.kind !== 'opened' || !lost) return []
      const ms = Math.round((lost.at - at) / 1000)
      return [
        { promise, message: `viewer ${viewer} lost its connection ${ms} ms after the fault ${fault.kind}` },
      ]
    })
  })
}
