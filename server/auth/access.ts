// All rules about who may see a workspace and its channels, run them, and decide its questions. Pure functions without
// queries or clocks.
import type { Scope } from '../../shared/api-key.ts'
import type { Visibility } from '../../shared/channel.ts'
import type { Decision } from '../../shared/decision.ts'
import { includesRole, type Role } from '../../shared/role.ts'
import { apiError } from '../errors.ts'

/** `role`: of the person whose access was read. */
export type WorkspaceAccess = {
  workspace_id: string
  owner_id: string
  role: Role | null
  visibility: Visibility
  access_version: number
}

/** Unlocked workspaces by id, with the access_version they were unlocked at. */
type Unlocked = ReadonlyMap<string, number>

export type Identity =
  | { kind: 'anonymous'; unlocked: Unlocked }
  | { kind: 'session'; user_id: string; session_id: string; unlocked: Unlocked }
  | { kind: 'key'; key_id: string; user_id: string; workspace_id: string | null }

export const userOf = (identity: Identity): string | null =>
  identity.kind === 'anonymous' ? null : identity.user_id

/** See `viewRight` in shared/view-right.ts. */
type Allowed = { role: Role | null; can_edit: boolean; can_act: boolean }
export type ViewDecision =
  | (Allowed & { error: null })
  | { error: 'unauthorized' | 'password_required' | 'access_denied' }

/** Rights add up: what the visibility allows anyone, and what the role allows. `authorize` is the same, but throws. */
export function decideView(workspace: WorkspaceAccess, identity: Identity): ViewDecision {
  const { workspace_id, visibility } = workspace
  const role = identity.kind === 'session' ? workspace.role : null
  const isOpen = isOpenTo(workspace, identity)
  // First, because a key for another workspace must see at least what an anonymous viewer sees.
  if (isOpen || role !== null)
    return {
      error: null,
      role,
      can_edit: includesRole(role, 'editor'),
      can_act: isOpen || includesRole(role, 'member'),
    }
  if (identity.kind === 'key' && includesRole(workspace.role, 'editor'))
    return keyReaches(identity, workspace_id)
      ? { error: null, role, can_edit: false, can_act: false }
      : { error: 'access_denied' }
  if (visibility === 'protected') return { error: 'password_required' }
  return { error: identity.kind === 'anonymous' ? 'unauthorized' : 'access_denied' }
}

/** Whether the visibility lets them in, whatever their role. */
function isOpenTo(
  { workspace_id, visibility, access_version }: WorkspaceAccess,
  identity: Identity,
): boolean {
  if (visibility === 'public') return true
  if (visibility === 'private' || identity.kind === 'key') return false
  return identity.unlocked.get(workspace_id) === access_version
}

export function authorize(workspace: WorkspaceAccess, identity: Identity): Allowed & { error: null } {
  const right = decideView(workspace, identity)
  if (right.error === null) return right
  if (right.error !== 'password_required') throw apiError(right.error)
  throw apiError('password_required', { extra: { workspace_id: workspace.workspace_id } })
}

/** `workspace_id`: the only workspace that the key may reach; null: all of its user's. */
type KeyReach = { workspace_id: string | null }

/** `key`: undefined for a session, which reaches all workspaces of its user. */
export const keyReaches = (key: KeyReach | undefined, workspace_id: string) =>
  key === undefined || key.workspace_id === null || key.workspace_id === workspace_id

/** Whether a caller may run the workspace and its channels, as far as the key's scope allows. */
export const mayRun = (workspace_id: string, role: Role | null, key: KeyReach | undefined) =>
  includesRole(role, 'editor') && keyReaches(key, workspace_id)

/** In ascending order: each scope includes those before it. */
const scopes: Scope[] = ['read', 'write', 'full']

export const scopeAllows = (scope: Scope, need: Scope) => scopes.indexOf(scope) >= scopes.indexOf(need)

type Presser =
  | { kind: 'person'; user_id: string | null; role: Role | null }
  | { kind: 'agent'; api_key_id: string }

/** `listed`: the ids of the users that the question lists. `asker_key`: the key that asked; null for a session. */
type DecisionRules = Pick<Decision, 'who' | 'agents'> & {
  listed: readonly string[]
  asker_key: string | null
}

/** Why the presser may not decide a question; null if they may. */
export function refusalToDecide({ who, agents, listed, asker_key }: DecisionRules, by: Presser) {
  if (by.kind === 'agent') {
    if (!agents) return 'agents'
    return by.api_key_id === asker_key ? 'own_question' : null
  }
  if (who === 'anyone') return null
  if (by.user_id === null) return 'sign_in'
  return isAmong(who, listed, by.user_id, by.role) ? null : 'not_allowed'
}

function isAmong(
  who: Decision['who'],
  listed: readonly string[],
  user_id: string,
  role: Role | null,
): boolean {
  switch (who) {
    case 'anyone':
    case 'signed_in':
      return true
    case 'members':
      return includesRole(role, 'member')
    case 'owner':
      return role === 'owner'
    case 'listed':
      return listed.includes(user_id)
  }
}

/** How others see a person: which of the other roles it is stays private. */
export const personKind = (role: Role | null) =>
  role === null ? ('user' as const) : role === 'owner' ? ('owner' as const) : ('member' as const)
