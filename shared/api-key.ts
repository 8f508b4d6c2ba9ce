// An API key: the body that creates it, and its shapes in responses.
import { z } from 'zod'
import { isDayOrInstant } from './instant.ts'
import { API_KEY_NAME_MAX } from './limits.ts'
import { nameText, timestamp, uuid } from './text.ts'

/** `full`: everything. `write`: GET, and cards, attributes and header actions of existing channels. `read`: only GET. */
export const API_KEY_SCOPES = ['full', 'write', 'read'] as const

export const scope = z.enum(API_KEY_SCOPES)
export type Scope = z.output<typeof scope>

const expires_at = z
  .string()
  .refine(isDayOrInstant, { error: 'must be an ISO 8601 timestamp', abort: true })
  .transform(value => new Date(value).toISOString())
  .refine(value => Date.parse(value) > Date.now(), 'must be in the future')

export const createApiKeyBody = z.object({
  name: nameText(API_KEY_NAME_MAX),
  scope: scope.default('full'),
  workspace_id: z.string().nullable().default(null),
  expires_at: expires_at.nullable().default(null),
})
export type CreateApiKeyBody = z.output<typeof createApiKeyBody>

/** `workspace_id`: the only workspace that the key may use; null: all. `prefix`: the first characters of the key. */
export const apiKey = z.object({
  id: uuid,
  name: z.string(),
  scope,
  workspace_id: uuid.nullable(),
  prefix: z.string(),
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  created_at: timestamp,
})
export type ApiKey = z.output<typeof apiKey>

export const createdApiKey = apiKey.omit({ last_used_at: true }).extend({ key: z.string() })
export type CreatedApiKey = z.output<typeof createdApiKey>
