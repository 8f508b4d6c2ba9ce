// A select block: one option of several, or none.
import { z } from 'zod'
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
import { options } from './options.ts'

const fields = z.object({
  type: z.literal('select'),
  id,
  label,
  options,
  value: content.nullable().default(null),
  placeholder,
  hint,
  required,
  disabled,
  send_on_change,
})

const schema = fields.refine(
  block => block.value === null || block.options.some(({ value }) => value === block.value),
  { path: ['value'], message: 'must be one of the options' },
)

export type SelectBlock = z.output<typeof schema>

export const selectBlock = {
  schema,
  sent: schema,
  patch: patchOf(fields),
  state: fields.pick({ id: true, type: true, label: true, value: true }),
  title: [['label']],
  change: replaceFields(schema),
} satisfies BlockDefinition<SelectBlock>
