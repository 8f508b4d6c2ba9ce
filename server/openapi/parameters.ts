// The parameters of requests, in paths, queries and headers.
import type { z } from 'zod'
import { CARD_KEY_MAX, IDEMPOTENCY_KEY_MAX, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../shared/limits.ts'

type Parameter = {
  in: 'path' | 'query' | 'header'
  required?: true
  description: string
  schema: z.core.JSONSchema.BaseSchema
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

export type ParameterName = keyof typeof parameters
