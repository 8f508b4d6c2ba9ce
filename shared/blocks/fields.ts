// Fields that several block types share.
import { z } from 'zod'
import { newUuid } from '../characters.ts'
import { BLOCK_ID_MAX, BLOCK_STRING_MAX } from '../limits.ts'
import { requiredText, text } from '../text.ts'

/** Null clears the field: the stored block doesn't have it. */
export function clearable(schema: z.ZodString) {
  return schema
    .nullish()
    .transform(value => value ?? undefined)
    .pipe(schema.optional())
}

/** Removes undefined fields: JSON in rows can't have them, and documents must equal rows. */
export function withoutCleared<T extends object>(value: T): T {
  for (const [name, field] of Object.entries(value))
    if (field === undefined) Reflect.deleteProperty(value, name)
  return value
}

export function listOf<S extends z.ZodType>(item: S, max: number) {
  const rule = `must have 1 to ${max} items`
  return z.array(item).min(1, rule).max(max, rule)
}

export const id = requiredText(BLOCK_ID_MAX)
  .default(newUuid)
  .meta({ default: undefined, description: 'Unique in the card. Without one, a UUID is generated.' })
export const content = text(BLOCK_STRING_MAX)
export const label = requiredText(BLOCK_STRING_MAX)
export const disabled = z.boolean().default(false)
export const required = z.boolean().default(false)
export const send_on_change = z
  .boolean()
  .default(false)
  .describe('Whether a change is sent at once, as an `input_change` interaction.')
export const placeholder = clearable(content)
export const hint = clearable(content)

/** All fields but type and id. A field that is missing from a patch stays, so no default replaces it. */
export function patchOf<S extends z.ZodRawShape>({ shape }: z.ZodObject<S>) {
  const { type: _, id: __, ...fields } = Object.fromEntries(Object.entries<z.core.$ZodType>(shape))
  const optional = (field: z.core.$ZodType) =>
    z.optional(field instanceof z.ZodDefault ? field.unwrap() : field)
  return z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])),
  )
}
