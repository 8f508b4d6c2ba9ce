// How an operation of /api/v1 is described; document.ts turns descriptions into OpenAPI.
import type { z } from 'zod'
import type { Need } from '../auth/access.ts'
import type { ApiError } from '../errors.ts'
import type { HeaderName } from './headers.ts'
import type { ParameterName } from './parameters.ts'

/** By name: a summary, and a value that the schema takes. */
export type Examples = Record<string, { summary: string; value: unknown }>

export type Content = { schema: z.ZodType; examples: Examples }

/** An answer that is no refusal. `content` is JSON of ours; `other` anything else. */
export type Answer = {
  description: string
  content?: Content
  other?: { type: string; schema: z.core.JSONSchema.BaseSchema; example: unknown }
  headers?: HeaderName[]
}

export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below /api/v1, parameters in braces. */
  path: string
  operationId: string
  tag: string
  summary: string
  description?: string
  /** What it asks of a key's scope; null: no key is asked for. */
  need: Need | null
  parameters: ParameterName[]
  body?: Content
  answers: Partial<Record<200 | 201 | 204 | 304, Answer>>
  /** Every refusal that the caller can bring about; status, message and headers are read off it. */
  refusals: ApiError[]
}

export type Tag = { name: string; description: string }
