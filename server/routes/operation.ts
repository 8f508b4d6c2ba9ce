// An operation of /api/v1, described where it is served: its path, scope, body and responses stand here once, and both
// the route (`serve`) and the OpenAPI document (openapi.ts) read them.
import type { Env, Handler, Hono, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import type { Need } from '../auth/access.ts'
import type { ApiError } from '../errors.ts'
import type { DailyLimit } from '../rate-limit.ts'
import type { HeaderName, RequestParameter } from './openapi-parts.ts'
import { requireNeed } from './own-channel.ts'

/** Values that the schema accepts, by their summary. */
export type Examples = Record<string, unknown>

/** `documented`: shown instead of the schema, if the document can say more than the schema checks. */
export type Content = { schema: z.ZodType; documented?: z.ZodType; examples: Examples }

/** `schema` and `examples`: a JSON body. `other`: a body of another type. */
export type ResponseDescription = {
  description: string
  schema?: z.ZodType
  examples?: Examples
  other?: { type: string; schema: z.core.JSONSchema.BaseSchema; example: unknown }
  headers?: HeaderName[]
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

type Description = {
  summary: string
  description?: string
  /** What the key's scope must allow; null: no key is needed. */
  need: Need | null
  /** Beside those in the path. */
  parameters?: RequestParameter[]
  body?: Content
  /** It takes an Idempotency-Key. */
  idempotent?: true
  /** Its 201 response counts toward this daily limit. */
  limit?: DailyLimit
  responses: Partial<Record<200 | 201 | 204 | 304, ResponseDescription>>
  /** Beside those that follow from the rest of the description: status, message and headers are read off the errors. */
  errors?: ApiError[]
}

/** `path`: below /api/v1, and below /api if the dashboard has the same operation. */
export type Operation = Description & { id: string; method: Method; path: string }

export const operation = <D extends Description>(id: string, method: Method, path: string, described: D) => ({
  id,
  method,
  path,
  ...described,
})

/** Mounts an operation. The scope is checked after the ids in the path, and before the body. */
export function serve<E extends Env>(
  routes: Hono<E>,
  { method, path, need }: Operation,
  ...handlers: [...MiddlewareHandler<E>[], Handler<E>]
): void {
  const scope: MiddlewareHandler[] = need === null || need === 'read' ? [] : [requireNeed(need)]
  routes.on(method.toUpperCase(), [path], ...handlers.slice(0, -1), ...scope, ...handlers.slice(-1))
}
