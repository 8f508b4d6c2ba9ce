// A header action: a button of the channel itself, beside its name.
import { z } from 'zod'
import { BUTTON_STYLES } from './block.ts'
import { ACTION_LABEL_MAX } from './limits.ts'
import { requiredText, uuid } from './text.ts'

const INT32 = 2_147_483_647

export const createHeaderActionBody = z.object({
  label: requiredText(ACTION_LABEL_MAX),
  style: z.enum(BUTTON_STYLES).default('primary'),
  position: z
    .int('must be an integer')
    .min(-INT32 - 1, 'must be a 32-bit integer')
    .max(INT32, 'must be a 32-bit integer')
    .default(0),
})
export type CreateHeaderActionBody = z.output<typeof createHeaderActionBody>

/** As the channel's head and the GET responses hold it. */
export const headerAction = createHeaderActionBody.extend({ id: uuid })
export type HeaderAction = z.output<typeof headerAction>

export const createdHeaderAction = headerAction.extend({ channel_id: uuid })
export type CreatedHeaderAction = z.output<typeof createdHeaderAction>
