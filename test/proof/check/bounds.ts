// What faults measured themselves (P10, P11), P6: a wall clock that jumps costs no viewer its connection, and P13: a
// locked channel, or one with large cards, delays no other one.
import type { FaultKind } from '../faults.ts'
import type { Files, Finding } from './files.ts'
import { slownessIn } from './machine.ts'

const DELAY_MAX_US = 1_000_000
/** Faults of one channel, and what they do to it. */
const NEIGHBOURS: Partial<Record<FaultKind['kind'], string>> = {
  'locked row': 'was locked',
  neighbour: 'was full of large cards',
}

export function checkBounds(files: Files): Finding[] {
  const bounds = files.marks.flatMap((mark): Finding[] => {
    if (mark.kind !== 'bound') return []
    const { promise, what, took_ms, limit_ms } = mark
    if (took_ms !== null && took_ms <= limit_ms) return []
    const took = took_ms === null ? 'never' : `after ${took_ms} ms`
    return [{ promise, message: `${what}: ${took}, not within ${limit_ms} ms` }]
  })
  return [...bounds, ...checkClocks(files), ...checkNeighbours(files)]
}

function checkClocks({ marks, seen }: Files): Finding[] {
  return marks.flatMap(mark => {
    if (mark.kind !== 'fault' || mark.fault.kind !== 'clock') return []
    const { at, ended } = mark
    return seen.flatMap(record => {
      if (record.kind !== 'closed' || record.at < at || record.at > ended) return []
      const after_ms = Math.round((record.at - at) / 1000)
      const message = `viewer ${record.viewer} lost its connection ${after_ms} ms after a clock jumped`
      return [{ promise: 'P6', message }]
    })
  })
}

/** A write may take a second longer than the slowest before the fault. */
function checkNeighbours({ marks, tried, machine }: Files): Finding[] {
  return marks.flatMap(mark => {
    if (mark.kind !== 'fault' || !NEIGHBOURS[mark.fault.kind]) return []
    const { at, ended, channel_id: locked } = mark
    const calm = tried.filter(({ end }) => end < at).map(({ begin, end }) => end - begin)
    const limit = (Math.max(0, ...calm.slice(-200)) + DELAY_MAX_US) * slownessIn({ machine }, at, ended)
    return tried.flatMap(({ request, channel_id, begin, end }) => {
      if (channel_id === locked || end < at || begin > ended || end - begin <= limit) return []
      const took = Math.round((end - begin) / 1000)
      const message = `${request.kind} ${request.op} took ${took} ms while another channel ${NEIGHBOURS[mark.fault.kind]}`
      return [{ promise: 'P13', message }]
    })
  })
}
