// Channel attributes (a flat object of strings), and a workspace's settings for them.
import { z } from 'zod'
import { REQUIRED } from './invalid.ts'
import { jsonObject } from './json-object.ts'
import { ATTRIBUTE_KEY_MAX, ATTRIBUTE_VALUE_MAX } from './limits.ts'
import { charCount, timestamp } from './text.ts'

const RESERVED = ['created_at', 'updated_at']

/** Lowercases keys; the last of equal keys wins. The empty string clears an attribute. */
export const attributesBody = jsonObject
  .transform((given, context): [string, string][] => {
    const attributes = new Map<string, string>()
    for (const [name, value] of Object.entries(given)) {
      const key = name.toLowerCase()
      const rule = brokenRule(key, value)
      if (rule !== null) {
        context.addIssue({ code: 'custom', path: [key === '' ? 'key' : key], message: rule })
        return z.NEVER
      }
      attributes.set(key, String(value))
    }
    return [...attributes]
  })
  .meta({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: ATTRIBUTE_KEY_MAX, not: { enum: RESERVED } },
    additionalProperties: { type: 'string', maxLength: ATTRIBUTE_VALUE_MAX },
  })

function brokenRule(key: string, value: unknown): string | null {
  if (key === '' || charCount(key) > ATTRIBUTE_KEY_MAX)
    return `must have 1 to ${ATTRIBUTE_KEY_MAX} characters`
  if (RESERVED.includes(key)) return 'is reserved'
  if (typeof value !== 'string') return 'must be a string'
  if (charCount(value) > ATTRIBUTE_VALUE_MAX) return `must be at most ${ATTRIBUTE_VALUE_MAX} characters`
  return null
}

export const attributes = z.object({ created_at: timestamp, updated_at: timestamp }).catchall(z.string())
export type Attributes = z.output<typeof attributes>

export const attributeSettingBody = z.object({
  key: z
    .string()
    .min(1, REQUIRED)
    .transform(key => key.toLowerCase())
    .refine(key => charCount(key) <= ATTRIBUTE_KEY_MAX, `must have 1 to ${ATTRIBUTE_KEY_MAX} characters`)
    .refine(key => !RESERVED.includes(key), 'is reserved'),
  use_as_filter: z.boolean().optional(),
  show_in_sidebar: z.boolean().optional(),
})
export type AttributeSettingBody = z.output<typeof attributeSettingBody>

export const attributeSetting = attributeSettingBody.required()
export type AttributeSetting = z.output<typeof attributeSetting>
