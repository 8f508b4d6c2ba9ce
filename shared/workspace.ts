// A workspace: the bodies of requests and its shapes in responses.
import { z } from 'zod'
import { visibility } from './channel.ts'
import { WORKSPACE_NAME_MAX } from './limits.ts'
import { role } from './role.ts'
import { emoji, nameText, timestamp, uuid } from './text.ts'
import { newPassword } from './user.ts'

export const LAYOUTS = ['list', 'sidebar', 'tabs', 'grid'] as const
export const DEFAULT_WORKSPACE_ICON = '🏢'

const name = nameText(WORKSPACE_NAME_MAX)
const layout = z.enum(LAYOUTS)

export const createWorkspaceBody = z.object({ name, icon: emoji.default(DEFAULT_WORKSPACE_ICON) })
export type CreateWorkspaceBody = z.output<typeof createWorkspaceBody>

const custom_slug = z
  .string()
  .regex(/^[a-z0-9-]{3,48}$/, 'must be 3-48 lowercase letters, digits or hyphens')
  .nullable()

export const customSlugBody = z.object({ custom_slug })

/** `reason`: the error of a PATCH with the slug. */
export const slugCheck = z.object({ available: z.boolean(), reason: z.string().nullable() })
export type SlugCheck = z.output<typeof slugCheck>

export const patchWorkspaceBody = z
  .object({
    name,
    icon: emoji,
    visibility,
    password: newPassword,
    layout,
    show_search: z.boolean(),
    custom_slug,
  })
  .partial()
export type PatchWorkspaceBody = z.output<typeof patchWorkspaceBody>

export const workspace = z.object({
  id: uuid,
  name,
  slug: z.string(),
  custom_slug,
  icon: emoji,
  user_id: uuid,
  visibility,
  layout,
  show_search: z.boolean(),
  created_at: timestamp,
})
export type Workspace = z.output<typeof workspace>

/** `role`: of the person who asks. */
export const workspaceWithRole = workspace.extend({ role })
export type WorkspaceWithRole = z.output<typeof workspaceWithRole>

/** What a viewer of one of its channels learns of it. */
export const namedWorkspace = workspace.pick({ name: true, icon: true, slug: true })
export type NamedWorkspace = z.output<typeof namedWorkspace>

export const listedWorkspace = workspaceWithRole.omit({ user_id: true })
export type ListedWorkspace = z.output<typeof listedWorkspace>

export const createdWorkspace = workspace.omit({ custom_slug: true })
export type CreatedWorkspace = z.output<typeof createdWorkspace>

export const deletedWorkspace = z.object({ success: z.literal(true) })
export type DeletedWorkspace = z.output<typeof deletedWorkspace>

export const workspaceHead = workspace.omit({ user_id: true, created_at: true })
export type WorkspaceHead = z.output<typeof workspaceHead>

const SLUG_MAX = 48

/** Lowercase Latin letters and digits, joined by hyphens; `workspace` if a name has none of them. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replace(/^-|-$/g, '')
  return slug || 'workspace'
}
