// The client's errors: a class for each kind of error response, and one for a lost connection.
import type { Decision } from '../shared/decision.ts'
import type { ErrorBody } from '../shared/error.ts'

/** `decision`: of a refused press, as it is now. */
type Body = Partial<ErrorBody> & { code?: string; decision?: Decision }

/** The message is the service's own; it names an invalid field. */
export class ChannelFeedError extends Error {
  /** Null without a response. */
  readonly status: number | null
  readonly code: string | undefined
  readonly body: Body
  readonly retry_after: number | undefined

  constructor(status: number | null, message: string, body: Body = {}, retry_after?: number) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.code = body.code
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
  constructor() {
    super(null, 'The server can’t be reached. Check your connection.')
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
  // A gateway returns 502 to 504 while the service restarts.
  if (status >= 502) return new ConnectionError()
  const body: Body = await response.json().catch(() => ({}))
  const message = body.error ?? `The server returned ${status}. Try again later.`
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ChannelFeedError)
  return new Kind(status, message, body, readRetryAfter(headers.get('Retry-After') ?? ''))
}

/** The service sends seconds; a gateway may send a date. */
function readRetryAfter(value: string): number | undefined {
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
