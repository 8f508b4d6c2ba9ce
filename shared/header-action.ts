// A header action: a button beside the channel's name.
import { z } from 'zod'
import { BUTTON_STYLES } from './blocks/button.ts'
import { ACTION_LABEL_MAX } from './limits.ts'
import { requiredText, uuid } from './text.ts'

const INT32 = 2_147_483_647

const label = requiredText(ACTION_LABEL_MAX)
const style = z.enum(BUTTON_STYLES)
const position = z
  .int('must be an integer')
  .min(-INT32 - 1, 'must be a 32-bit integer')
  .max(INT32, 'must be a 32-bit integer')

export const createHeaderActionBody = z.object({
  label,
  style: style.default('primary'),
  position: position.default(0),
})
export type CreateHeaderActionBody = z.output<typeof createHeaderActionBody>

export const patchHeaderActionBody = z.object({ label, style, position }).partial()
export type PatchHeaderActionBody = z.output<typeof patchHeaderActionBody>

export const orderActionsBody = z.object({ action_ids: z.array(z.string()) })

export const headerAction = createHeaderActionBody.extend({ id: uuid })
export type HeaderAction = z.output<typeof headerAction>

export const createdHeaderAction = headerAction.extend({ channel_id: uuid })
export type CreatedHeaderAction = z.output<typeof createdHeaderAction>
