// The people of a workspace, the invites that others join with, and the keys that are confined to it.
import { z } from 'zod'
import { apiKey } from './api-key.ts'
import { INVITE_DAYS_DEFAULT, INVITE_DAYS_MAX, INVITE_USES_MAX } from './limits.ts'
import { memberRole, role } from './role.ts'
import { timestamp, uuid } from './text.ts'
import { emailAddress } from './user.ts'
import { workspace } from './workspace.ts'

/** `joined_at` of the owner: when the workspace was created. */
export const member = z.object({
  user_id: uuid,
  name: z.string(),
  email: z.string(),
  role,
  joined_at: timestamp,
})
export type Member = z.output<typeof member>

export const patchMemberBody = z.object({ role: memberRole })

export const transferBody = z.object({ user_id: z.string() })

const wholeNumber = (max: number) => {
  const rule = `must be a whole number from 1 to ${max}`
  return z.int(rule).min(1, rule).max(max, rule)
}

/** With `email`, only that account can use it, once. */
export const createInviteBody = z
  .object({
    role: memberRole,
    email: emailAddress.nullable().default(null),
    uses: wholeNumber(INVITE_USES_MAX).default(1),
    expires_in_days: wholeNumber(INVITE_DAYS_MAX).default(INVITE_DAYS_DEFAULT),
  })
  .refine(({ email, uses }) => email === null || uses === 1, {
    path: ['uses'],
    error: 'must be 1 with email',
  })
export type CreateInviteBody = z.output<typeof createInviteBody>

export const invite = z.object({
  id: uuid,
  role: memberRole,
  email: z.string().nullable(),
  uses_left: z.int().min(1),
  created_by: z.object({ id: uuid, name: z.string() }),
  created_at: timestamp,
  expires_at: timestamp,
})
export type Invite = z.output<typeof invite>

/** `url`: shown only once. `mailed`: whether a mail server took it. */
export const createdInvite = invite.extend({ url: z.string(), mailed: z.boolean() })
export type CreatedInvite = z.output<typeof createdInvite>

export const inviteTokenBody = z.object({ token: z.string() })

/** What the holder of a link sees before joining. */
export const invitePreview = z.object({
  workspace: workspace.pick({ name: true, icon: true }),
  role: memberRole,
  invited_by: z.object({ name: z.string() }),
  email: z.string().nullable(),
  expires_at: timestamp,
})
export type InvitePreview = z.output<typeof invitePreview>

export const joined = z.object({
  workspace: workspace.pick({ id: true, name: true, slug: true, icon: true }),
  role,
})
export type Joined = z.output<typeof joined>

/** A key that reaches only this workspace. */
export const workspaceKey = apiKey.extend({ user: z.object({ id: uuid, name: z.string() }) })
export type WorkspaceKey = z.output<typeof workspaceKey>
