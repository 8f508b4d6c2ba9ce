// A toggle block: a switch that is on or off.
import { z } from 'zod'
import { type BlockDefinition, replaceFields } from './definition.ts'
import { disabled, hint, id, label, patchOf, send_on_change } from './fields.ts'

const schema = z.object({
  type: z.literal('toggle'),
  id,
  label,
  value: z.boolean().default(false),
  hint,
  disabled,
  send_on_change,
})

export type ToggleBlock = z.output<typeof schema>

export const toggleBlock = {
  schema,
  sent: schema,
  patch: patchOf(schema),
  state: schema.pick({ id: true, type: true, label: true, value: true }),
  title: [['label']],
  change: replaceFields(schema),
} satisfies BlockDefinition<ToggleBlock>
