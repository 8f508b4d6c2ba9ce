// The header fields of answers.
import type { z } from 'zod'

type Header = { description: string; schema: z.core.JSONSchema.BaseSchema; example: string; required?: true }

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
