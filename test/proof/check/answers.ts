// P2: requests with one Idempotency-Key count as one write and get one answer.
import type { Tried } from '../load/posters.ts'
import { CARD_NOT_FOUND } from '../model/refusals.ts'
import { canonical } from './canonical.ts'
import type { Files, Finding } from './files.ts'
import { isAcknowledged, isKnown, type Operation, operationsOf } from './operations.ts'

export const checkAnswers = ({ tried }: Files): Finding[] => operationsOf(tried).flatMap(checkRepeats)

function checkRepeats(operation: Operation): Finding[] {
  const { request, answer, end } = operation
  if (!('idempotent' in request) || !request.idempotent || !answer) return []
  return operation.tries.flatMap(tried => {
    const other = tried.answer
    if (!isKnown(other)) return []
    const wrong = (what: string) => [
      { promise: 'P2', message: `one Idempotency-Key (${request.op}) got ${textOf(answer)} and ${what}` },
    ]
    if (isForgotten(operation, tried)) return []
    if (textOf(other) !== textOf(answer)) return wrong(textOf(other))
    const isRepeat = isAcknowledged(operation) && tried.begin > end
    return isRepeat && !other.replayed ? wrong('the same, but not as a repeated answer') : []
  })
}

/** With a card, the answers that show it are deleted. */
const isForgotten = ({ request }: Operation, { answer }: Tried) =>
  request.kind === 'patch' &&
  answer?.status === 404 &&
  canonical(answer.body) === canonical(CARD_NOT_FOUND.body)

const textOf = ({ status, body }: { status: number; body: unknown }) => `${status} ${JSON.stringify(body)}`
