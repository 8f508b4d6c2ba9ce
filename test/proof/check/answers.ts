// P2: requests with one Idempotency-Key count as one write and get one answer. Until the first one is answered, others get 409.
import type { Tried } from '../load/posters.ts'
import { isKnown } from '../load/request.ts'
import { CARD_NOT_FOUND } from '../model/refusals.ts'
import { canonical } from './canonical.ts'
import type { Files, Finding } from './files.ts'
import { isAcknowledged, type Operation, operationsOf } from './operations.ts'

/** Longer than the service works for a client that has left. */
const ABANDONED_US = 15_000_000

export const checkAnswers = ({ tried }: Files): Finding[] => operationsOf(tried).flatMap(checkRepeats)

function checkRepeats(operation: Operation): Finding[] {
  const { request, answer, end } = operation
  if (!('idempotent' in request) || !request.idempotent || !answer) return []
  return operation.tries.flatMap(tried => {
    if (tried.answer?.status === 409 && !isKnown(tried.answer) && !isUnderWay(operation, tried))
      return [
        {
          promise: 'P2',
          message: `Idempotency-Key ${request.op} got 409 when no other request with it was running`,
        },
      ]
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

/** A request that failed may go on in the service. */
function isUnderWay({ tries }: Operation, { begin, end }: Tried): boolean {
  return tries.some(
    other =>
      other.begin !== begin &&
      other.begin < end &&
      (other.answer === null || other.answer.status >= 500 ? other.end + ABANDONED_US : other.end) > begin,
  )
}

/** With a card, the answers that show it are deleted. */
const isForgotten = ({ request }: Operation, { answer }: Tried) =>
  request.kind === 'patch' &&
  answer?.status === 404 &&
  canonical(answer.body) === canonical(CARD_NOT_FOUND.body)

const textOf = ({ status, body }: { status: number; body: unknown }) => `${status} ${JSON.stringify(body)}`
