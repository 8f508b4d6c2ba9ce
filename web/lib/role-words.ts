// The roles of a workspace's people in words.
import type { MemberRole, Role } from '../../shared/role.ts'

export const ROLE_NAMES: Record<Role, string> = {
  owner: 'Owner',
  editor: 'Editor',
  member: 'Member',
  viewer: 'Viewer',
}

/** What people with the role can do. */
export const ROLE_ABOUT: Record<MemberRole, string> = {
  editor: 'Creates channels and cards, changes settings, and invites members and viewers',
  member: 'Sees every channel and acts in it',
  viewer: 'Sees every channel',
}
