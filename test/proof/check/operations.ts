// The operations of a run, each with all its tries.
import type { Tried } from '../load/posters.ts'
import type { Answer } from '../load/request.ts'
import type { Request } from '../load/requests.ts'

export type Operation = {
  request: Request
  channel_id: string
  tries: Tried[]
  /** Of the first try. */
  begin: number
  /** When a client first knew the outcome; infinity if none did. */
  end: number
  /** The first known answer. */
  answer: Answer | null
}

/** In the order in which they began. */
export function operationsOf(tried: Tried[]): Operation[] {
  const operations = new Map<string, Operation>()
  for (const one of [...tried].sort((a, b) => a.begin - b.begin)) {
    const { request, channel_id, begin } = one
    const known = operations.get(request.op)
    const operation = known ?? { request, channel_id, tries: [], begin, end: Infinity, answer: null }
    operation.tries.push(one)
    operations.set(request.op, operation)
  }
  for (const operation of operations.values()) {
    const answered = operation.tries.filter(({ answer }) => isKnown(answer)).sort((a, b) => a.end - b.end)
    operation.answer = answered[0]?.answer ?? null
    operation.end = answered[0]?.end ?? Infinity
  }
  return [...operations.values()]
}

/** A 5xx is unknown, and a 409 says that another try of the same write is under way. */
export const isKnown = (answer: Answer | null): answer is Answer =>
  answer !== null && answer.status < 500 && answer.status !== 409

export const isAcknowledged = ({ answer }: Operation) =>
  answer !== null && answer.status >= 200 && answer.status < 300

/** Whether it writes cards, or would if it weren't refused. */
export const isWrite = ({ request: { kind } }: Operation) =>
  kind === 'post' || kind === 'put' || kind === 'patch' || kind === 'delete' || kind === 'refused'
