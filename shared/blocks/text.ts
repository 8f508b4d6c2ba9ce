// A text block: plain text in one of four sizes.
import { z } from 'zod'
import { type BlockDefinition, replaceFields } from './definition.ts'
import { content, id, patchOf } from './fields.ts'

export const TEXT_SIZES = ['sm', 'md', 'lg', 'xl'] as const

const schema = z.object({
  type: z.literal('text'),
  id,
  content: content.describe('Plain text: line breaks are kept, and addresses become links.'),
  size: z.enum(TEXT_SIZES).default('md'),
  bold: z.boolean().default(false),
})

export const textBlock = {
  schema,
  sent: schema,
  patch: patchOf(schema),
  state: schema.pick({ id: true, type: true, content: true }),
  title: [['content']],
  change: replaceFields(schema),
} satisfies BlockDefinition<z.output<typeof schema>>
