// P14: while the database is unavailable, requests get 503 with `Retry-After`, within 11 s. Without faults, none does.
import type { Fault } from '../faults.ts'
import { type Files, type Finding, phaseOf } from './files.ts'
import { slownessIn } from './machine.ts'

const ANSWER_US = 11_000_000
/** The service's deadline for a request. */
const DEADLINE_US = 10_000_000
/** Times slower than at rest: other programs then leave a request too little of its deadline. */
const TOO_SLOW = 3

/** It holds requests up before they reach the service, or keeps the service from running. */
const delaysRequests = (fault: Fault) =>
  fault.kind === 'pause' || (fault.kind === 'partition' && fault.link === 'front')

export function checkUnavailable({ tried, marks, machine }: Files): Finding[] {
  const delays = marks.flatMap(mark => (mark.kind === 'fault' && delaysRequests(mark.fault) ? [mark] : []))
  const first = Math.min(...marks.flatMap(({ kind, at }) => (kind === 'fault' ? [at] : [])))
  const resume = phaseOf(marks, 'resume')
  return tried.flatMap(({ request, begin, end, answer, error }) => {
    const name = `${request.kind} ${request.op}`
    const wrong = (what: string) => [{ promise: 'P14', message: `${name} ${what}` }]
    const is_calm = end < first || begin > resume
    const lacked_time = end - begin >= DEADLINE_US && slownessIn({ machine }, begin, end) >= TOO_SLOW
    if (is_calm && !lacked_time && (answer === null || answer.status >= 500))
      return wrong(`got ${answer?.status ?? error} without any fault`)
    if (answer?.status === 503 && !answer.retry_after) return wrong('got 503 without Retry-After')
    if (answer && answer.status < 500) return []
    const held_up = delays
      .filter(({ at, ended }) => at < end && ended > begin)
      .reduce((sum, { at, ended }) => sum + ended - at, 0)
    if (end - begin <= ANSWER_US + held_up) return []
    return wrong(`got ${answer?.status ?? error} after ${((end - begin) / 1e6).toFixed(1)} s`)
  })
}
