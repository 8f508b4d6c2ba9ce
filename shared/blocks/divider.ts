// A divider block: a line between other blocks.
import { z } from 'zod'
import { type BlockDefinition, replaceFields } from './definition.ts'
import { id, patchOf } from './fields.ts'

const schema = z.object({ type: z.literal('divider'), id })

export const dividerBlock = {
  schema,
  sent: schema,
  patch: patchOf(schema),
  state: schema,
  title: [],
  change: replaceFields(schema),
} satisfies BlockDefinition<z.output<typeof schema>>
