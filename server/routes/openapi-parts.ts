// Parts of the OpenAPI document that operations share: parameters, response headers, errors and statuses.
import type { z } from 'zod'
import { DECISION_STATES } from '../../shared/decision.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import {
  CARD_KEY_MAX,
  ERROR_FIELD_MAX,
  IDEMPOTENCY_KEY_MAX,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  WAIT_MAX_S,
} from '../../shared/limits.ts'
import {
  type ApiError,
  accessDenied,
  apiError,
  bodyTooLarge,
  invalid,
  keyInUse,
  notFound,
  tooMany,
  unauthorized,
} from '../errors.ts'

type Schema = z.core.JSONSchema.BaseSchema
/** `name`: if it differs from the name of the component. */
type Parameter = {
  name?: string
  in: 'path' | 'query' | 'header'
  required?: true
  description: string
  schema: Schema
  example?: unknown
}

const idInPath = (description: string) =>
  ({ in: 'path', required: true, description, schema: { type: 'string', format: 'uuid' } }) as const
const header = (description: string) => ({ in: 'header', description, schema: { type: 'string' } }) as const

export const parameters = {
  channelId: idInPath('The channel.'),
  cardId: idInPath('The card.'),
  key: {
    in: 'path',
    required: true,
    description: 'Your own name for the card, percent-encoded; unique in the channel.',
    schema: { type: 'string', minLength: 1, maxLength: CARD_KEY_MAX },
    example: 'deploy-142',
  },
  decisionId: idInPath('The decision.'),
  workspace_id: { ...idInPath('The workspace whose channels to list.'), in: 'query' },
  wait: {
    in: 'query',
    description: 'How many seconds to wait for the decision to end.',
    schema: { type: 'integer', minimum: 0, maximum: WAIT_MAX_S, default: 0 },
  },
  block: {
    in: 'query',
    description: 'The id of the block that asks. Needed if the card has several decisions.',
    schema: { type: 'string' },
  },
  state: {
    in: 'query',
    description: 'Only decisions in this state.',
    schema: { type: 'string', enum: [...DECISION_STATES] },
  },
  decision_key: {
    name: 'key',
    in: 'query',
    description: 'Only decisions with this key.',
    schema: { type: 'string' },
  },
  limit: {
    in: 'query',
    description: 'How many items a page has.',
    schema: { type: 'integer', minimum: 1, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT },
  },
  cursor: {
    in: 'query',
    description: '`next_cursor` of the previous page. Without it, the list starts with the newest.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    in: 'header',
    description:
      'Your own name for this request. Within 24 hours the same key with the same body, byte for byte, does nothing more and returns the first response; with another body it is an error. Errors are not stored. Up to 100,000 responses or 64 MiB are stored per user; beyond that, new keys get 429 until older responses are a day old.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX },
  },
  'Last-Event-ID': header('The `id` of the last event you received: the stream continues after it.'),
  'If-None-Match': header('The `ETag` of your copy: the response is 304 if it is current.'),
} satisfies Record<string, Parameter>

/** Parameters that operations list. The others follow from the path and from `idempotent`. */
export type RequestParameter =
  | 'workspace_id'
  | 'wait'
  | 'block'
  | 'state'
  | 'decision_key'
  | 'limit'
  | 'cursor'
  | 'Last-Event-ID'
  | 'If-None-Match'

export const headers = {
  'RateLimit-Policy': {
    description: 'The daily limit: `q` writes in `w` seconds. Missing if there is no limit.',
    schema: { type: 'string', pattern: '^"(cards|channels)";q=\\d+;w=86400$' },
    example: '"cards";q=200;w=86400',
  },
  RateLimit: {
    description: 'Left today: `r` writes, and `t` seconds until 00:00 UTC. Missing if there is no limit.',
    schema: { type: 'string', pattern: '^"(cards|channels)";r=\\d+;t=\\d+$' },
    example: '"cards";r=37;t=5120',
  },
  'Error-Field': {
    description:
      'The path of the field at fault, as in the message. Percent signs and characters that aren’t ASCII are percent-encoded. Missing if no field is at fault, or if the path is longer than 1,024 bytes.',
    schema: { type: 'string', pattern: '^[ -~]+$', maxLength: ERROR_FIELD_MAX },
    example: 'blocks[2].buttons[0].label',
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
    required: true,
  },
  'Idempotent-Replayed': {
    description: 'The response to an earlier request with the same key; this request had no effect.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    description: 'Identifies this version; send it as `If-None-Match` to learn whether there is a newer one.',
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"5d41402abc4b2a76"',
    required: true,
  },
} satisfies Record<string, { description: string; schema: Schema; example: string; required?: true }>

/** The header `Error-Code` of a response that has one of these codes. */
export function errorCodeHeader(codes: ErrorCode[]) {
  const names = [...new Set(codes)].sort()
  return {
    description: `Says which error it is: ${names.map(name => `\`${name}\``).join(', ')}.`,
    schema: { $ref: '#/components/schemas/ErrorCode', enum: names },
    example: names[0],
    required: true,
  }
}

export type HeaderName = keyof typeof headers

export const isHeaderName = (name: string): name is HeaderName => Object.hasOwn(headers, name)

export const errorsOf: Record<'channel' | 'body' | 'idempotent' | 'paged', ApiError[]> = {
  channel: [unauthorized(), accessDenied(), notFound('Channel')],
  body: [
    apiError('invalid_json'),
    invalid('', 'The request body must be a JSON object'),
    apiError('body_not_utf8'),
    apiError('body_cut_off'),
    apiError('invalid_content_type'),
    bodyTooLarge(),
    apiError('encoding_not_supported'),
  ],
  idempotent: [
    invalid('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_MAX} characters`),
    keyInUse(),
    apiError('idempotency_key_reused'),
    tooMany('too_many_stored', 3_600),
  ],
  paged: [
    invalid('limit', `must be a whole number from 1 to ${LIST_LIMIT_MAX}`),
    invalid('cursor', 'is unknown'),
  ],
}

export const meanings: Record<number, string> = {
  400: 'The request is not valid; the message names the field.',
  401: 'The API key is missing, unknown, expired or deleted.',
  403: 'It belongs to another user, or the key’s scope or workspace doesn’t allow it; or this key may not decide.',
  404: 'Not found.',
  409: 'The decision’s state doesn’t allow it, or a request with this Idempotency-Key is still running.',
  413: 'The body is larger than 256 KiB.',
  415: 'The body is compressed.',
  422: 'The Idempotency-Key was used with a different request.',
  429: 'A limit is reached; the message names it. Daily limits count per user and reset at 00:00 UTC.',
  500: 'An internal error.',
  503: 'The database is unavailable. The request may not have taken effect: try again.',
}
