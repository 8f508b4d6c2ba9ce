// A JSON object with arbitrary keys. Zod's records and loose objects silently drop the key `__proto__`; then it could
// neither be used nor reported.
import { z } from 'zod'

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const jsonObject = z.unknown().transform((given, context): Record<string, unknown> => {
  if (isJsonObject(given)) return given
  context.addIssue({ code: 'invalid_type', expected: 'record', input: given })
  return z.NEVER
})
