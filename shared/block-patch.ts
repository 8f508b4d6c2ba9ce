// The fields of a patch, for each block type and for a button: fields of the block, all optional. card-patch.ts then
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

export const buttonPatch = patchOf(button, ['label', 'disabled', 'style', 'confirm'])

export const blockPatches: Record<BlockType, z.ZodObject> = {
  text: patchOf(textBlock, ['content', 'size', 'bold']),
  badge: patchOf(badgeBlock, ['label', 'variant']),
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
  }),
  image: patchOf(imageBlock, ['url', 'alt']),
  divider: patchOf(dividerBlock, []),
  input: patchOfAll(inputBlock),
  select: patchOfAll(selectBlock),
  multiselect: patchOfAll(multiselectBlock),
  toggle: patchOfAll(toggleBlock),
}

function patchOf<S extends z.ZodRawShape>({ shape }: z.ZodObject<S>, names: (keyof S & string)[]) {
  const fields = Object.entries<z.core.$ZodType>(shape).filter(([name]) => names.includes(name))
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, withoutDefault(field)])))
}

function patchOfAll<S extends z.ZodRawShape>(block: z.ZodObject<S>) {
  const names = Object.keys(block.shape)
  return patchOf(
    block,
    names.filter(name => name !== 'type' && name !== 'id'),
  )
}

/** A field that is missing from a patch stays, so no default replaces it. */
function withoutDefault(field: z.core.$ZodType) {
  return z.optional(field instanceof z.ZodDefault ? field.unwrap() : field)
}
