// The roles of a workspace's people in words.
import type { Role } from '../../shared/role.ts'

export const ROLE_NAMES: Record<Role, string> = {
  owner: 'Owner',
  editor: 'Editor',
  member: 'Member',
  viewer: 'Viewer',
}
