// Decides who may see a workspace and its channels, and what a key's scope allows. Pure functions without queries or clocks.
import type { Scope } from '../../shared/api-key.ts'
import type { Visibility } from '../../shared/channel.ts'
import { apiError } from '../errors.ts'

export type WorkspaceAccess = {
  workspace_id: string
  owner_id: string
  visibility: Visibility
  access_version: number
}

/** Unlocked workspaces by id, with the access_version they were unlocked at. */
type Unlocked = ReadonlyMap<string, number>

export type Identity =
  | { kind: 'anonymous'; unlocked: Unlocked }
  | { kind: 'session'; user_id: string; session_id: string; unlocked: Unlocked }
  | { kind: 'key'; key_id: string; user_id: string; workspace_id: string | null }

/** `can_edit`: the page offers the dashboard's controls. Only an owner with a session gets them. */
export type ViewRight =
  | { error: null; can_edit: boolean }
  | { error: 'unauthorized' | 'password_required' | 'access_denied' }

/** `authorize` is the same, but throws. */
export function decideView(workspace: WorkspaceAccess, identity: Identity): ViewRight {
  const { workspace_id, visibility } = workspace
  const isOwner = identity.kind !== 'anonymous' && identity.user_id === workspace.owner_id
  const allowed: ViewRight = { error: null, can_edit: isOwner && identity.kind === 'session' }
  // First, because a key for another workspace must see at least what an anonymous viewer sees.
  if (visibility === 'public') return allowed
  if (isOwner) {
    const isKeyOfOtherWorkspace =
      identity.kind === 'key' && ![null, workspace_id].includes(identity.workspace_id)
    return isKeyOfOtherWorkspace ? { error: 'access_denied' } : allowed
  }
  if (visibility === 'private')
    return { error: identity.kind === 'anonymous' ? 'unauthorized' : 'access_denied' }
  const unlockedVersion = identity.kind === 'key' ? undefined : identity.unlocked.get(workspace_id)
  return unlockedVersion === workspace.access_version ? allowed : { error: 'password_required' }
}

export function authorize(workspace: WorkspaceAccess, identity: Identity): { can_edit: boolean } {
  const decision = decideView(workspace, identity)
  if (decision.error === null) return { can_edit: decision.can_edit }
  if (decision.error !== 'password_required') throw apiError(decision.error)
  throw apiError('password_required', { extra: { workspace_id: workspace.workspace_id } })
}

/** In ascending order: each scope includes those before it. */
const scopes: Scope[] = ['read', 'write', 'full']

export const scopeAllows = (scope: Scope, need: Scope) => scopes.indexOf(scope) >= scopes.indexOf(need)
