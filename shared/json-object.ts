// A JSON object with arbitrary keys, even `__proto__`, which zod's records and loose objects silently drop.
import { z } from 'zod'

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const jsonObject = z.unknown().transform((given, context): Record<string, unknown> => {
  if (isJsonObject(given)) return given
  context.addIssue({ code: 'invalid_type', expected: 'record', input: given })
  return z.NEVER
})
