// The refusals that many operations have in common: the errors themselves, so that no message stands twice.
import { z } from 'zod'
import { IDEMPOTENCY_KEY_MAX, LIST_LIMIT_MAX } from '../../shared/limits.ts'
import {
  type ApiError,
  accessDenied,
  badRequest,
  bodyTooLarge,
  keyInUse,
  keyReused,
  notFound,
  tooManyAnswers,
  unauthorized,
} from '../errors.ts'

/** The body of every refusal. */
export const refusal = z.object({
  error: z.string().meta({ description: 'What is wrong, in words for people; it names the field.' }),
})

/** Of a request with a key that names a channel. */
export const onChannel: ApiError[] = [unauthorized(), accessDenied(), notFound('Channel')]

export const onCard: ApiError[] = [...onChannel, notFound('Card')]

export const withBody: ApiError[] = [
  badRequest('Invalid JSON'),
  badRequest('Content-Type must be application/json'),
  bodyTooLarge(),
]

export const idempotent: ApiError[] = [
  badRequest(`Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX} characters`),
  keyInUse(),
  keyReused(),
  tooManyAnswers(3_600),
]

export const paged: ApiError[] = [
  badRequest(`limit must be a whole number from 1 to ${LIST_LIMIT_MAX}`),
  badRequest('cursor is unknown'),
]

/** What each status means, for any operation. */
export const meanings: Record<number, string> = {
  400: 'The request is not valid; the message names the field.',
  401: 'No API key, or one that is unknown, expired or deleted.',
  403: 'It belongs to another user, or the key may not do this: its scope or its workspace.',
  404: 'There is no such thing.',
  409: 'A request with this Idempotency-Key is still running.',
  413: 'The body is over 256 KiB.',
  422: 'The Idempotency-Key was used with a different request.',
  429: 'A limit is reached; the message names it. Daily limits count per user, and begin anew at 00:00 UTC.',
  500: 'A fault of ours.',
  503: 'The database does not answer. Nothing is known to have changed: ask again.',
}
