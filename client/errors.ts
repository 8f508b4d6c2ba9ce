// The errors of the client: one class for each kind of response that isn't a success, and one for no response.
import type { ErrorBody } from '../shared/error.ts'

/** A request failed. The message is the service's own, which names the field if one is wrong. */
export class ChannelFeedError extends Error {
  /** The HTTP status; null without a response. */
  readonly status: number | null
  /** The service's name for the case, if it gives one. */
  readonly code: string | undefined
  readonly body: Partial<ErrorBody> & { code?: string }

  constructor(status: number | null, message: string, body: ChannelFeedError['body'] = {}) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.code = body.code
    this.body = body
  }
}

/** 401: no session, key or password. 403: not allowed. */
export class AuthError extends ChannelFeedError {}
export class NotFoundError extends ChannelFeedError {}
/** 400, 413, 422. */
export class InvalidRequestError extends ChannelFeedError {}
export class ConflictError extends ChannelFeedError {}
export class ServerError extends ChannelFeedError {}

export class RateLimitError extends ChannelFeedError {
  /** In so many seconds the request may be sent again; undefined if the service doesn't say. */
  retry_after: number | undefined
}

/** No response, or one of a gateway whose service is down: the request may be fine, and may even have been carried out. */
export class ConnectionError extends ChannelFeedError {
  constructor() {
    super(null, 'The server cannot be reached. Check your connection.')
  }
}

const BY_STATUS: Record<number, typeof ChannelFeedError> = {
  400: InvalidRequestError,
  401: AuthError,
  403: AuthError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  422: InvalidRequestError,
}

/** The error that a response stands for. */
export async function readError(response: Response): Promise<ChannelFeedError> {
  const { status, headers } = response
  // A gateway answers 502 to 504 for a service that restarts.
  if (status >= 502) return new ConnectionError()
  const body: ChannelFeedError['body'] = await response.json().catch(() => ({}))
  const message = body.error ?? `The server returned ${status}. Try again later.`
  if (status === 429) {
    const error = new RateLimitError(status, message, body)
    error.retry_after = readRetryAfter(headers.get('Retry-After') ?? '')
    return error
  }
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ChannelFeedError)
  return new Kind(status, message, body)
}

/** Our service sends seconds; a gateway may send a date. */
function readRetryAfter(value: string): number | undefined {
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
