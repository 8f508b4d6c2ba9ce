// The roles of a workspace's people.
import { z } from 'zod'

/** Each role may do what those after it may. A workspace has one owner. */
export const ROLES = ['owner', 'editor', 'member', 'viewer'] as const
export const MEMBER_ROLES = ['editor', 'member', 'viewer'] as const

export const role = z.enum(ROLES)
export type Role = z.output<typeof role>

export const memberRole = z.enum(MEMBER_ROLES, `must be one of ${MEMBER_ROLES.join(', ')}`)
export type MemberRole = z.output<typeof memberRole>

/** Whether `role` includes `needed`. `role`: null without one. */
export const includesRole = (role: Role | null, needed: Role) =>
  role !== null && ROLES.indexOf(role) <= ROLES.indexOf(needed)

/** Whether someone with `role` may give and take the role `of` others: invite with it, change it, remove who has it. */
export const mayManage = (role: Role | null, of: Role) =>
  role === 'owner' ? of !== 'owner' : role === 'editor' && (of === 'member' || of === 'viewer')
