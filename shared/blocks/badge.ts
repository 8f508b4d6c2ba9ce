// A badge block: a short coloured word.
import { z } from 'zod'
import { type BlockDefinition, replaceFields } from './definition.ts'
import { id, label, patchOf } from './fields.ts'

export const BADGE_VARIANTS = ['default', 'success', 'warning', 'error', 'info', 'pending'] as const

const schema = z.object({
  type: z.literal('badge'),
  id,
  label,
  variant: z.enum(BADGE_VARIANTS).default('default'),
})

export const badgeBlock = {
  schema,
  sent: schema,
  patch: patchOf(schema),
  state: schema.pick({ id: true, type: true, label: true, variant: true }),
  title: [['label']],
  change: replaceFields(schema),
} satisfies BlockDefinition<z.output<typeof schema>>
