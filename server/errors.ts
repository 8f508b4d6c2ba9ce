// The error responses. app.ts renders them for HTTP, upgrades.ts for WebSocket upgrades.
import type { DecisionCode } from '../shared/decision.ts'
import { Invalid } from '../shared/invalid.ts'
import { isUnavailable } from './database/unavailable.ts'

type Fields = Record<string, string>

export class ApiError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503
  readonly headers: Fields
  /** More fields of the response's body. */
  readonly extra: Record<string, unknown>

  override name = 'ApiError'

  constructor(
    status: ApiError['status'],
    message: string,
    headers: Fields = {},
    extra: Record<string, unknown> = {},
  ) {
    super(message)
    this.status = status
    this.headers = headers
    this.extra = extra
  }
}

export const badRequest = (message: string) => new ApiError(400, message)
export const unauthorized = () => new ApiError(401, 'Unauthorized')
/** The same for an unknown user and a wrong password. */
export const wrongCredentials = () => new ApiError(401, 'Invalid email or password')
export const passwordRequired = (workspace_id: string) =>
  new ApiError(401, 'Password required', {}, { workspace_id })
export const accessDenied = () => new ApiError(403, 'Access denied')
export const forbidden = (message: string) => new ApiError(403, message)
export const notFound = (noun?: string) => new ApiError(404, noun ? `${noun} not found` : 'Not found')
/** `decision`: the form that the caller may see; null if there is none. */
export const decisionRefused = (
  status: 403 | 409,
  code: DecisionCode,
  message: string,
  decision: object | null,
) => new ApiError(status, message, {}, { code, decision })
export const bodyTooLarge = () => new ApiError(413, 'Request body too large', { Connection: 'close' })
export const encodingNotSupported = () => new ApiError(415, 'Content-Encoding is not supported')
export const keyInUse = () =>
  new ApiError(409, 'A request with this Idempotency-Key is still running', { 'Retry-After': '1' })
export const keyReused = () => new ApiError(422, 'Idempotency-Key was used with a different request')
export const tooManyRequests = (message: string, retry_s: number, headers: Fields = {}) =>
  new ApiError(429, message, { ...headers, 'Retry-After': String(Math.max(1, Math.ceil(retry_s))) })
export const tooManyConnections = () => tooManyRequests('Too many connections', 10)
export const tooManyEventStreams = () => tooManyRequests('Too many event streams', 10)
export const tooManyWaits = () => tooManyRequests('Too many waiting requests', 5)
export const tooManyUnread = () => tooManyRequests('Too many unread responses', 10)
export const tooManyStoredResponses = (retry_s: number) => tooManyRequests('Too many kept answers', retry_s)
export const workspaceLimitReached = () => new ApiError(429, 'Workspace limit reached')
export const apiKeyLimitReached = () => new ApiError(429, 'API key limit reached')
export const unavailable = () => new ApiError(503, 'Service unavailable', { 'Retry-After': '1' })

/** The response for a thrown value; null for an internal error. */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof Invalid) return badRequest(error.message)
  if (isUnavailable(error)) return unavailable()
  return null
}
