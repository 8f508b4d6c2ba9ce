// An image block: a picture from another host.
import { z } from 'zod'
import { URL_MAX } from '../limits.ts'
import { requiredHttpUrl } from '../text.ts'
import { type BlockDefinition, replaceFields } from './definition.ts'
import { clearable, content, id, patchOf } from './fields.ts'

const schema = z.object({
  type: z.literal('image'),
  id,
  url: requiredHttpUrl(URL_MAX),
  alt: clearable(content),
})

export const imageBlock = {
  schema,
  sent: schema,
  patch: patchOf(schema),
  state: schema.pick({ id: true, type: true, url: true }).extend({ alt: z.string() }),
  derived: ({ alt = '' }) => ({ alt }),
  title: [['alt']],
  change: replaceFields(schema),
} satisfies BlockDefinition<z.output<typeof schema>>
