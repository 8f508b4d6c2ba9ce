// An API key: what the dashboard sends to make one, and how it is listed. The key itself is shown once.
import { z } from 'zod'
import { API_KEY_NAME_MAX } from './limits.ts'
import { nameText } from './text.ts'

/** `full` everything; `write` reads, and cards, attributes and actions of existing channels; `read` GET only. */
export const API_KEY_SCOPES = ['full', 'write', 'read'] as const

export const scope = z.enum(API_KEY_SCOPES)
export type Scope = z.output<typeof scope>

const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

const expires_at = z
  .string()
  .refine(isIso8601, { error: 'must be an ISO 8601 timestamp', abort: true })
  .transform(value => new Date(value).toISOString())
  .refine(value => Date.parse(value) > Date.now(), 'must be in the future')

export const createApiKeyBody = z.object({
  name: nameText(API_KEY_NAME_MAX),
  scope: scope.default('full'),
  workspace_id: z.string().nullable().default(null),
  expires_at: expires_at.nullable().default(null),
})
export type CreateApiKeyBody = z.output<typeof createApiKeyBody>

export type ApiKey = {
  id: string
  name: string
  scope: Scope
  /** The only workspace that the key may reach; null: all of its user's. */
  workspace_id: string | null
  /** How the key begins, so that its owner can tell it from others. */
  prefix: string
  expires_at: string | null
  last_used_at: string | null
  created_at: string
}

/** The answer to making a key, the only one that carries it. */
export type CreatedApiKey = Omit<ApiKey, 'last_used_at'> & { key: string }

const isoForms = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/** A date, or a date and time with `Z` or an offset, that PostgreSQL can hold. */
function isIso8601(value: string): boolean {
  return isoForms.safeParse(value).success && Date.parse(value) <= LAST_INSTANT
}
