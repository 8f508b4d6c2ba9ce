// What follows when an invite has changed a person's role.
import type { Accepted } from '../model/invites.ts'
import type { RouteDeps } from './deps.ts'

/** Call this after the commit. */
export function noteJoined(
  { publish, log }: Pick<RouteDeps, 'publish' | 'log'>,
  user_id: string,
  { workspace, changed, invite_id }: Accepted,
): void {
  if (!changed) return
  publish({ kind: 'member_changed', workspace_id: workspace.id, user_id })
  log.info({ workspace_id: workspace.id, user_id, invite_id }, 'member joined')
}
