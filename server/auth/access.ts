// All rules about who may see a workspace and its channels, run them, and decide its questions. Pure functions without
// queries or clocks.
import type { Scope } from '../../shared/api-key.ts'
import type { Visibility } from '../../shared/channel.ts'
import type { Decision } from '../../shared/decision.ts'
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

/** `role`: in the workspace, of a person with a session. `can_edit`: the page offers the dashboard's controls. */
type Allowed = { role: 'owner' | null; can_edit: boolean }
export type ViewRight =
  | (Allowed & { error: null })
  | { error: 'unauthorized' | 'password_required' | 'access_denied' }

/** `authorize` is the same, but throws. */
export function decideView(workspace: WorkspaceAccess, identity: Identity): ViewRight {
  const { workspace_id, visibility } = workspace
  const isOwner = identity.kind !== 'anonymous' && identity.user_id === workspace.owner_id
  const role = isOwner && identity.kind === 'session' ? 'owner' : null
  const allowed: ViewRight = { error: null, role, can_edit: role === 'owner' }
  // First, because a key for another workspace must see at least what an anonymous viewer sees.
  if (visibility === 'public') return allowed
  if (isOwner) {
    const reaches = keyReaches(identity.kind === 'key' ? identity : undefined, workspace_id)
    return reaches ? allowed : { error: 'access_denied' }
  }
  if (visibility === 'private')
    return { error: identity.kind === 'anonymous' ? 'unauthorized' : 'access_denied' }
  const unlockedVersion = identity.kind === 'key' ? undefined : identity.unlocked.get(workspace_id)
  return unlockedVersion === workspace.access_version ? allowed : { error: 'password_required' }
}

export function authorize(workspace: WorkspaceAccess, identity: Identity): Allowed {
  const right = decideView(workspace, identity)
  if (right.error === null) return { role: right.role, can_edit: right.can_edit }
  if (right.error !== 'password_required') throw apiError(right.error)
  throw apiError('password_required', { extra: { workspace_id: workspace.workspace_id } })
}

/** `workspace_id`: the only workspace that the key may reach; null: all of its user's. */
type KeyReach = { workspace_id: string | null }

/** `key`: undefined for a session, which reaches all workspaces of its user. */
export const keyReaches = (key: KeyReach | undefined, workspace_id: string) =>
  key === undefined || key.workspace_id === null || key.workspace_id === workspace_id

/** Whether a caller may run the workspace and its channels, as far as the key's scope allows. */
export const mayRun = (
  workspace: Pick<WorkspaceAccess, 'workspace_id' | 'owner_id'>,
  user_id: string,
  key: KeyReach | undefined,
) => workspace.owner_id === user_id && keyReaches(key, workspace.workspace_id)

/** In ascending order: each scope includes those before it. */
const scopes: Scope[] = ['read', 'write', 'full']

export const scopeAllows = (scope: Scope, need: Scope) => scopes.indexOf(scope) >= scopes.indexOf(need)

type Presser =
  | { kind: 'person'; user_id: string | null; owner: boolean }
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
  // Only the owner has a role until there are others.
  const may = who === 'signed_in' || (who === 'listed' ? listed.includes(by.user_id) : by.owner)
  return may ? null : 'not_allowed'
}
