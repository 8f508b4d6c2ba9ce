// What a viewer may do on a page.
import { z } from 'zod'
import { role } from './role.ts'

/**
 * `role`: in the workspace, of a person with a session. `can_edit`: the page offers the dashboard's controls. `can_act`: the
 * viewer may press, where the channel is interactive. `owner_name`: for people with a role.
 */
export const viewRight = z.object({
  role: role.nullable(),
  can_edit: z.boolean(),
  can_act: z.boolean(),
  owner_name: z.string().optional(),
})
export type ViewRight = z.output<typeof viewRight>
