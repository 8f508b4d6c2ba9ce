// The fields of a patch, for each block type and for a button: fields of the block, without its type and id. card-patch.ts then
// checks the patched block with the block's own schema.
import { z } from 'zod'
import {
  type BlockType,
  badgeBlock,
  button,
  dividerBlock,
  imageBlock,
  inputBlock,
  kvRows,
  multiselectBlock,
  selectBlock,
  textBlock,
  toggleBlock,
} from './block.ts'
import { newDecision } from './decision.ts'

export const buttonPatch = patchOf(button)

export const blockPatches: Record<BlockType, z.ZodObject> = {
  text: patchOf(textBlock),
  badge: patchOf(badgeBlock),
  kv: z
    .strictObject({
      rows: kvRows.optional().describe('Replaces all rows.'),
      append_rows: kvRows.optional().describe('Rows to add after the existing ones.'),
    })
    .meta({ not: { required: ['rows', 'append_rows'] } }),
  button: z.strictObject({
    buttons: z
      .array(z.union([z.object({ id: z.string(), patch: buttonPatch }), button]))
      .optional()
      .describe('Buttons to change, by id; an item without `patch` is a new button.'),
    decision: newDecision
      .optional()
      .describe('Changes the waiting question, asks an ended one again with `reopen`, or asks a new one.'),
  }),
  image: patchOf(imageBlock),
  divider: patchOf(dividerBlock),
  input: patchOf(inputBlock),
  select: patchOf(selectBlock),
  multiselect: patchOf(multiselectBlock),
  toggle: patchOf(toggleBlock),
}

/** A field that is missing from a patch stays, so no default replaces it. */
function patchOf<S extends z.ZodRawShape>({ shape }: z.ZodObject<S>) {
  const { type: _, id: __, ...fields } = Object.fromEntries(Object.entries<z.core.$ZodType>(shape))
  const optional = (field: z.core.$ZodType) =>
    z.optional(field instanceof z.ZodDefault ? field.unwrap() : field)
  return z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])),
  )
}
