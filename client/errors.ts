// The client's errors: a class for each kind of error response, and one for a lost connection.
import type { Decision, FullDecision } from '../shared/decision.ts'
import type { ErrorBody } from '../shared/error.ts'
import type { ErrorCode } from '../shared/error-codes.ts'

/** `decision`: of a refused press, as it is now. */
type Body = Partial<ErrorBody> & { decision?: Decision }

type Details = {
  /** Missing in the response of a proxy. A later version of the service may have other codes. */
  code?: ErrorCode | (string & {}) | undefined
  /** The path of the field at fault, as in the message. */
  field?: string | undefined
  body?: Body
  retry_after?: number | undefined
}

/** The message is the service's own; it names an invalid field. */
export class ChannelFeedError extends Error {
  /** Null without a response. */
  readonly status: number | null
  readonly code: Details['code']
  readonly field: string | undefined
  readonly body: Body
  readonly retry_after: number | undefined

  constructor(status: number | null, message: string, { code, field, body = {}, retry_after }: Details = {}) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.code = code
    this.field = field
    this.body = body
    this.retry_after = retry_after
  }
}

export class AuthError extends ChannelFeedError {}
export class NotFoundError extends ChannelFeedError {}
export class InvalidRequestError extends ChannelFeedError {}
export class ConflictError extends ChannelFeedError {}
export class RateLimitError extends ChannelFeedError {}
export class ServerError extends ChannelFeedError {}

/** No response, or a gateway's for a service that is down. The request may still have taken effect. */
export class ConnectionError extends ChannelFeedError {
  constructor(details?: Details) {
    super(null, 'The server can’t be reached. Check your connection.', details)
  }
}

/** A question that nobody has decided. `decision`: as it was last read, or null if it was never read. */
export class QuestionError extends ChannelFeedError {
  readonly handle: string
  readonly decision: FullDecision | null

  constructor(message: string, code: string, handle: string, decision: FullDecision | null) {
    super(null, message, { code })
    this.handle = handle
    this.decision = decision
  }
}

/** The deadline has passed. */
export class DecisionExpired extends QuestionError {
  constructor(handle: string, decision: FullDecision) {
    super('Nobody decided before the deadline', 'expired', handle, decision)
  }
}

/** The question was closed, or its card or channel deleted. */
export class DecisionCancelled extends QuestionError {
  readonly reason: NonNullable<FullDecision['reason']>

  constructor(handle: string, decision: FullDecision | null, reason: DecisionCancelled['reason']) {
    super(`The question was closed: ${reason}`, 'cancelled', handle, decision)
    this.reason = reason
  }
}

/** The caller's own time is over. The question stays open. */
export class StillWaiting extends QuestionError {
  constructor(handle: string, decision: FullDecision | null) {
    super('Nobody has decided yet', 'still_waiting', handle, decision)
  }
}

const BY_STATUS: Record<number, typeof ChannelFeedError> = {
  400: InvalidRequestError,
  401: AuthError,
  403: AuthError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
}

export async function readError(response: Response): Promise<ChannelFeedError> {
  const { status, headers } = response
  const code = headers.get('Error-Code') ?? undefined
  // A gateway returns 502 to 504 while the service restarts, and the service itself while its database is away.
  const retry_after = readRetryAfter(headers.get('Retry-After') ?? '')
  if (status >= 502 && (code === undefined || code === 'unavailable'))
    return new ConnectionError({ retry_after })
  const body: Body = await response.json().catch(() => ({}))
  const message = body.error ?? `The server returned ${status}. Try again later.`
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ChannelFeedError)
  const field = headers.get('Error-Field')
  return new Kind(status, message, {
    code,
    field: field === null ? undefined : decodeField(field),
    body,
    retry_after,
  })
}

/** A gateway may send anything. */
function decodeField(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** The service sends seconds; a gateway may send a date. */
function readRetryAfter(value: string): number | undefined {
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
