// The client's errors: classes for the error responses that the app tells apart, and one for a lost connection.
import type { ErrorBody } from '../shared/error.ts'

/** The message is the service's own; it names an invalid field. */
export class ChannelFeedError extends Error {
  /** Null without a response. */
  readonly status: number | null
  readonly retry_after: number | undefined

  constructor(status: number | null, message: string, retry_after?: number) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.retry_after = retry_after
  }
}

export class NotFoundError extends ChannelFeedError {}
export class InvalidRequestError extends ChannelFeedError {}
export class RateLimitError extends ChannelFeedError {}
export class ServerError extends ChannelFeedError {}

/** No response, or a gateway's for a service that is down. The request may still have taken effect. */
export class ConnectionError extends ChannelFeedError {
  constructor() {
    super(null, 'The server cannot be reached. Check your connection.')
  }
}

const BY_STATUS: Record<number, typeof ChannelFeedError> = {
  400: InvalidRequestError,
  404: NotFoundError,
  413: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
}

export async function readError(response: Response): Promise<ChannelFeedError> {
  const { status, headers } = response
  // A gateway returns 502 to 504 while the service restarts.
  if (status >= 502) return new ConnectionError()
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}))
  const message = body.error ?? `The server returned ${status}. Try again later.`
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ChannelFeedError)
  return new Kind(status, message, readRetryAfter(headers.get('Retry-After') ?? ''))
}

/** The service sends seconds; a gateway may send a date. */
function readRetryAfter(value: string): number | undefined {
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
