// The error responses. app.ts renders them for HTTP, upgrades.ts for WebSocket upgrades.
import type { DecisionCode } from '../shared/decision.ts'
import { ERRORS, type ErrorCode, type PlainCode } from '../shared/error-codes.ts'
import { Invalid } from '../shared/invalid.ts'
import { ERROR_FIELD_MAX } from '../shared/limits.ts'
import { isUnavailable } from './database/unavailable.ts'

type Headers = Record<string, string>

/** `field`: the path of the field at fault, as in the message. `extra`: more fields of the body. */
type Details = { field?: string | null; headers?: Headers; extra?: Record<string, unknown> }

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: (typeof ERRORS)[ErrorCode][0]
  readonly headers: Headers
  readonly body: { error: string } & Record<string, unknown>

  override name = 'ApiError'

  constructor(code: ErrorCode, message: string, { field = null, headers = {}, extra = {} }: Details = {}) {
    super(message)
    const encoded = field === null ? null : encodeField(field)
    this.code = code
    this.status = ERRORS[code][0]
    this.headers = { ...headers, 'Error-Code': code, ...(encoded !== null && { 'Error-Field': encoded }) }
    this.body = { error: message, ...extra }
  }
}

/** Percent-encodes what a header can't carry as it is. Null for a path that is too long. It never has lone surrogates. */
function encodeField(path: string): string | null {
  if (path.length > ERROR_FIELD_MAX) return null
  const encoded = path.replace(/[^ -$&-~]+|^ | $/g, part => encodeURIComponent(part))
  return encoded.length > ERROR_FIELD_MAX ? null : encoded
}

/** An error whose message is always the same. */
export const apiError = (code: PlainCode, details?: Details) => new ApiError(code, ERRORS[code][1], details)

/** A field that breaks a rule: see `Invalid`. */
export const invalid = (field: string, rule: string, code?: ErrorCode) =>
  fromInvalid(new Invalid([field], rule, code))

const fromInvalid = ({ code, message, field }: Invalid) => new ApiError(code, message, { field })

export const unauthorized = () => apiError('unauthorized')
export const accessDenied = () => apiError('access_denied')

const NOT_FOUND = {
  Workspace: 'workspace_not_found',
  Channel: 'channel_not_found',
  Page: 'page_not_found',
  Card: 'card_not_found',
  Block: 'block_not_found',
  Button: 'button_not_found',
  Action: 'action_not_found',
  Decision: 'decision_not_found',
  Signature: 'signature_not_found',
  Interaction: 'interaction_not_found',
  Delivery: 'delivery_not_found',
  'API key': 'api_key_not_found',
  Session: 'session_not_found',
  Member: 'member_not_found',
  Invite: 'invite_not_found',
  'Reset link': 'reset_link_not_found',
} as const
export type Noun = keyof typeof NOT_FOUND
export const notFound = (noun?: Noun) => apiError(noun ? NOT_FOUND[noun] : 'not_found')

/** `decision`: the form that the caller may see; null if there is none. */
export const decisionRefused = (code: PlainCode & DecisionCode, decision: object | null) =>
  apiError(code, { extra: { code, decision } })
/** `field`: the path of the question in the body. */
export function questionEnded(field: string, decision: object): ApiError {
  const rule = 'has ended: send its id to keep it, a new key or reopen to ask again'
  return new ApiError('ended', `${field} ${rule}`, { field, extra: { code: 'ended', decision } })
}

export const bodyTooLarge = () => apiError('body_too_large', { headers: { Connection: 'close' } })
export const keyInUse = () => apiError('idempotency_key_in_use', { headers: { 'Retry-After': '1' } })
export const unavailable = () => apiError('unavailable', { headers: { 'Retry-After': '1' } })

/** The codes with status 429. */
export type LimitCode = { [C in PlainCode]: (typeof ERRORS)[C][0] extends 429 ? C : never }[PlainCode]
export const tooMany = (code: LimitCode, retry_s: number, headers: Headers = {}) =>
  apiError(code, { headers: { ...headers, 'Retry-After': String(Math.max(1, Math.ceil(retry_s))) } })
export const tooManyConnections = () => tooMany('too_many_connections', 10)
export const tooManyEventStreams = () => tooMany('too_many_event_streams', 10)
export const tooManyUnread = () => tooMany('too_many_unread', 10)
export const tooManyWaits = () => tooMany('too_many_waits', 5)

/** The response for a thrown value. `internal_error` doesn't tell the cause, so the caller logs it. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof Invalid) return fromInvalid(error)
  return isUnavailable(error) ? unavailable() : apiError('internal_error')
}
