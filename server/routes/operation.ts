// An operation of /api/v1 is described next to its route. Both the route (`serve`) and the OpenAPI document (openapi.ts)
// read the description.
import type { Handler, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import type { Scope } from '../../shared/api-key.ts'
import { scopeAllows } from '../auth/access.ts'
import { type ApiError, accessDenied } from '../errors.ts'
import type { DailyLimit } from '../rate-limit.ts'
import type { AppEnv, Routes } from './deps.ts'
import type { HeaderName, RequestParameter } from './openapi-parts.ts'

/** `documented`: a more detailed schema for the document. `examples`: values by their summary. */
export type BodyDescription = { schema: z.ZodType; documented?: z.ZodType; examples: Record<string, unknown> }

export type ResponseDescription = {
  description: string
  schema?: z.ZodType
  examples?: BodyDescription['examples']
  other?: { type: string; schema: z.core.JSONSchema.BaseSchema; example: unknown }
  headers?: HeaderName[]
}

type Description = {
  summary: string
  description?: string
  /** The scope of the key; null: no key is needed. */
  need: Scope | null
  parameters?: RequestParameter[]
  body?: BodyDescription
  idempotent?: true
  limit?: DailyLimit
  responses: Partial<Record<200 | 201 | 204 | 302 | 304, ResponseDescription>>
  /** In addition to the errors that follow from the rest of the description. */
  errors?: ApiError[]
}

/** `path`: below /api/v1, and below /api if the dashboard has the same operation. */
export type ApiOperation = Description & {
  id: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
}

export const operation = <D extends Description>(
  id: string,
  method: ApiOperation['method'],
  path: string,
  described: D,
) => ({ id, method, path, ...described })

export const json = (schema: z.ZodType, description: string, examples: BodyDescription['examples']) => ({
  description,
  schema,
  examples,
})

/** Mounts a route. The scope is checked after the ids in the path, and before the body. */
export function serve(
  routes: Routes,
  { method, path, need }: Pick<ApiOperation, 'method' | 'path' | 'need'>,
  ...handlers: [...MiddlewareHandler<AppEnv>[], Handler<AppEnv>]
): void {
  /** A caller without a key has a session, which may do everything. */
  const checkScope: MiddlewareHandler<AppEnv> = async (c, next) => {
    const key = c.get('key')
    if (key && need && !scopeAllows(key.scope, need)) throw accessDenied()
    await next()
  }
  const scope = need === null || need === 'read' ? [] : [checkScope]
  routes.on(method.toUpperCase(), [path], ...handlers.slice(0, -1), ...scope, ...handlers.slice(-1))
}
