// Decides who may see what. Pure functions without queries or clocks.
import type { Scope } from '../../shared/api-key.ts'
import type { Visibility } from '../../shared/channel.ts'

/** The access settings of a channel's workspace. */
export type Place = { workspace_id: string; owner_id: string; visibility: Visibility; access_version: number }

/** Unlocked workspaces by id, with the access_version they were unlocked at. */
export type Unlocked = ReadonlyMap<string, number>

export type Viewer =
  | { kind: 'anonymous'; unlocked: Unlocked }
  | { kind: 'session'; user_id: string; session_id: string; unlocked: Unlocked }
  | { kind: 'key'; key_id: string; user_id: string; workspace_id: string | null; scope: Scope }

export type Refusal =
  | { refused: 401; reason: 'Unauthorized' | 'Password required' }
  | { refused: 403; reason: 'Access denied' }

/** `can_edit`: the viewer gets the dashboard's controls. They need a session. */
export type Decision = { refused: null; can_edit: boolean } | Refusal

const unauthorized: Refusal = { refused: 401, reason: 'Unauthorized' }
const passwordRequired: Refusal = { refused: 401, reason: 'Password required' }
const accessDenied: Refusal = { refused: 403, reason: 'Access denied' }

export function decideView(place: Place, viewer: Viewer): Decision {
  const owner = viewer.kind !== 'anonymous' && viewer.user_id === place.owner_id
  const allowed: Decision = { refused: null, can_edit: owner && viewer.kind === 'session' }
  // A key for another workspace must not see less than no key at all.
  if (place.visibility === 'public') return allowed
  if (owner) return isConfinedElsewhere(place, viewer) ? accessDenied : allowed
  if (place.visibility === 'protected') return hasUnlocked(place, viewer) ? allowed : passwordRequired
  return viewer.kind === 'anonymous' ? unauthorized : accessDenied
}

function isConfinedElsewhere(place: Place, viewer: Viewer): boolean {
  return viewer.kind === 'key' && viewer.workspace_id !== null && viewer.workspace_id !== place.workspace_id
}

function hasUnlocked(place: Place, viewer: Viewer): boolean {
  return viewer.kind !== 'key' && viewer.unlocked.get(place.workspace_id) === place.access_version
}

/** The permission that a request needs. */
export type Need = 'read' | 'write' | 'full'

const grants: Record<Scope, Record<Need, boolean>> = {
  read: { read: true, write: false, full: false },
  write: { read: true, write: true, full: false },
  full: { read: true, write: true, full: true },
}

export function scopeAllows(scope: Scope, need: Need): boolean {
  return grants[scope][need]
}
