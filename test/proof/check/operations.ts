// The operations of a run, each with all its tries.
import type { Tried } from '../load/posters.ts'
import { type Answer, isKnown } from '../load/request.ts'
import type { Request } from '../load/requests.ts'

export type Operation = {
  request: Request
  channel_id: string
  tries: Tried[]
  /** Of the first try. */
  begin: number
  /** When a client first knew the outcome; infinity if none did. */
  end: number
  /** The first acknowledgement, or else the first known answer. A refused try says nothing about another one that is unknown. */
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
    const known = operation.tries.filter(({ answer }) => isKnown(answer)).sort((a, b) => a.end - b.end)
    const acknowledged = known.find(({ answer }) => answer && isSuccess(answer))
    const told = acknowledged ?? (mayDiffer(operation) ? undefined : known[0])
    operation.answer = told?.answer ?? null
    operation.end = told?.end ?? Infinity
  }
  return [...operations.values()]
}

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300

/** Two tries of a question with a key, one of which met another question that ended before the other try. */
const mayDiffer = ({ request, tries }: Operation) =>
  request.kind === 'post' && request.question?.key != null && tries.some(({ answer }) => !isKnown(answer))

export const isAcknowledged = ({ answer }: Operation) => answer !== null && isSuccess(answer)

/** Whether it writes cards, or would if it weren't refused. */
export const isWrite = ({ request: { kind } }: Operation) =>
  kind === 'post' || kind === 'put' || kind === 'patch' || kind === 'delete' || kind === 'refused'
