// A multiselect block: any number of options.
import { z } from 'zod'
import { hasRepeats } from '../characters.ts'
import { OPTIONS_MAX } from '../limits.ts'
import { type BlockDefinition, replaceFields } from './definition.ts'
import {
  content,
  disabled,
  hint,
  id,
  label,
  patchOf,
  placeholder,
  required,
  send_on_change,
} from './fields.ts'
import { type BlockOption, options } from './options.ts'

const fields = z.object({
  type: z.literal('multiselect'),
  id,
  label: label.optional(),
  options,
  value: z
    .array(content)
    .max(OPTIONS_MAX, `must have at most ${OPTIONS_MAX} items`)
    .meta({ uniqueItems: true })
    .default([]),
  placeholder,
  hint,
  required,
  disabled,
  send_on_change,
})

const schema = fields
  .refine(block => hasAll(block.options, block.value), {
    path: ['value'],
    message: 'must hold only values of the options',
  })
  .refine(block => !hasRepeats(block.value), { path: ['value'], message: 'must not repeat a value' })

function hasAll(options: BlockOption[], chosen: string[]): boolean {
  const values = new Set(options.map(({ value }) => value))
  return chosen.every(value => values.has(value))
}

const replace = replaceFields(schema)

export type MultiselectBlock = z.output<typeof schema>

export const multiselectBlock = {
  schema,
  sent: schema,
  patch: patchOf(fields),
  state: fields.pick({ id: true, type: true, value: true }),
  title: [['label']],
  /** The block of an old card may repeat values, and must stay patchable. */
  change: (current, patch, place) =>
    replace({ ...current, value: [...new Set(current.value)] }, patch, place),
} satisfies BlockDefinition<MultiselectBlock>
