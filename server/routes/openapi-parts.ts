// What operations have in common in the OpenAPI document: parameters, response headers, errors and the meaning of statuses.
import type { z } from 'zod'
import { CARD_KEY_MAX, IDEMPOTENCY_KEY_MAX, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../shared/limits.ts'
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

type Schema = z.core.JSONSchema.BaseSchema
type Parameter = {
  in: 'path' | 'query' | 'header'
  required?: true
  description: string
  schema: Schema
  example?: unknown
}

export const parameters = {
  channelId: {
    in: 'path',
    required: true,
    description: 'The channel.',
    schema: { type: 'string', format: 'uuid' },
  },
  cardId: {
    in: 'path',
    required: true,
    description: 'The card.',
    schema: { type: 'string', format: 'uuid' },
  },
  key: {
    in: 'path',
    required: true,
    description: 'A name of your own for the card, percent-encoded; unique in the channel.',
    schema: { type: 'string', minLength: 1, maxLength: CARD_KEY_MAX },
    example: 'deploy-142',
  },
  workspace_id: {
    in: 'query',
    required: true,
    description: 'The workspace whose channels are listed.',
    schema: { type: 'string', format: 'uuid' },
  },
  limit: {
    in: 'query',
    description: 'How many there are on a page.',
    schema: { type: 'integer', minimum: 1, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT },
  },
  cursor: {
    in: 'query',
    description: '`next_cursor` of the page before; left out for the newest.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    in: 'header',
    description:
      'Any name for this request. Within 24 hours the same key with the same body, byte for byte, returns the first answer again and does nothing; with another body it is refused. Refusals are not kept. Up to 100,000 answers are kept per user, or 64 MiB of them; beyond that a request with a new key gets 429 until older answers are a day old.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX },
  },
  'Last-Event-ID': {
    in: 'header',
    description: 'The `id` of the last event that was received: the stream goes on after it.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    in: 'header',
    description: 'The `ETag` that one has: answered with 304 where it still stands.',
    schema: { type: 'string' },
  },
} satisfies Record<string, Parameter>

/** Those that an operation names; paths and `idempotent` name the others. */
export type RequestParameter = 'workspace_id' | 'limit' | 'cursor' | 'Last-Event-ID' | 'If-None-Match'

type Header = { description: string; schema: Schema; example: string; required?: true }

export const headers = {
  'RateLimit-Policy': {
    description: 'The daily limit: `q` writes in `w` seconds. Missing where the limit is lifted.',
    schema: { type: 'string', pattern: '^"(cards|channels)";q=\\d+;w=86400$' },
    example: '"cards";q=200;w=86400',
  },
  RateLimit: {
    description:
      'What the day has left: `r` writes, and `t` seconds until 00:00 UTC. Missing where the limit is lifted.',
    schema: { type: 'string', pattern: '^"(cards|channels)";r=\\d+;t=\\d+$' },
    example: '"cards";r=37;t=5120',
  },
  'Retry-After': {
    description: 'Seconds after which asking again makes sense.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
    required: true,
  },
  'Idempotent-Replayed': {
    description:
      'The answer is that of an earlier request with the same Idempotency-Key; nothing was done now.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    description: 'Names this version; `If-None-Match` asks whether there is a newer one.',
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"5d41402abc4b2a76"',
    required: true,
  },
} satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

export const isHeaderName = (name: string): name is HeaderName => Object.hasOwn(headers, name)

/** Errors that follow from what an operation takes. */
export const errorsOf: Record<'channel' | 'body' | 'idempotent' | 'paged', ApiError[]> = {
  channel: [unauthorized(), accessDenied(), notFound('Channel')],
  body: [badRequest('Invalid JSON'), badRequest('Content-Type must be application/json'), bodyTooLarge()],
  idempotent: [
    badRequest(`Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX} characters`),
    keyInUse(),
    keyReused(),
    tooManyAnswers(3_600),
  ],
  paged: [
    badRequest(`limit must be a whole number from 1 to ${LIST_LIMIT_MAX}`),
    badRequest('cursor is unknown'),
  ],
}

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
