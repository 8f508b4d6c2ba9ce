// The people of a workspace: roles, removal, transfer, invites, and the keys that reach only this workspace.
import {
  type CreatedInvite,
  createInviteBody,
  type Invite,
  type Member,
  patchMemberBody,
  transferBody,
  type WorkspaceKey,
} from '../../shared/member.ts'
import { normalUuid } from '../../shared/text.ts'
import type { WorkspaceWithRole } from '../../shared/workspace.ts'
import { createInvite, endInvite, listInvites } from '../model/invites.ts'
import {
  changeRole,
  deleteWorkspaceKey,
  listMembers,
  listWorkspaceKeys,
  removeMember,
  transferWorkspace,
} from '../model/members.ts'
import type { AppContext, RouteDeps, Routes } from './deps.ts'
import { forRole } from './for-role.ts'
import { readBody, readId } from './request.ts'

export function addMemberRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, config, now, key_ring, public_url, publish, log } = deps
  const [own, edit, view] = [forRole(sql, 'owner'), forRole(sql, 'editor'), forRole(sql, 'viewer')]
  const workspaceOf = (c: AppContext) => ({ workspace_id: c.get('workspace').id, user_id: c.get('user_id') })

  function keysEnded(key_ids: string[]): void {
    for (const key_id of key_ids) {
      key_ring.forget(key_id)
      publish({ kind: 'key_ended', key_id })
    }
  }

  routes.get('/workspaces/:id/members', caller, edit, async c => {
    return c.json<Member[]>(await listMembers(sql, c.get('workspace').id))
  })

  routes.patch('/workspaces/:id/members/:userId', caller, view, async c => {
    const { workspace_id, user_id } = workspaceOf(c)
    const member_id = memberId(c)
    const { role } = await readBody(c, patchMemberBody)
    const { member, key_ids } = await changeRole(sql, workspace_id, user_id, member_id, role)
    publish({ kind: 'member_changed', workspace_id, user_id: member_id })
    keysEnded(key_ids)
    log.info({ workspace_id, user_id, member_id }, 'role changed')
    return c.json<Member>(member)
  })

  routes.delete('/workspaces/:id/members/:userId', caller, view, async c => {
    const { workspace_id, user_id } = workspaceOf(c)
    const member_id = memberId(c)
    const { key_ids } = await removeMember(sql, workspace_id, user_id, member_id)
    publish({ kind: 'member_changed', workspace_id, user_id: member_id })
    keysEnded(key_ids)
    log.info({ workspace_id, user_id, member_id }, 'member removed')
    return c.body(null, 204)
  })

  routes.post('/workspaces/:id/transfer', caller, own, async c => {
    const { workspace_id, user_id } = workspaceOf(c)
    const body = await readBody(c, transferBody)
    const member_id = normalUuid(body.user_id)
    const workspace = await transferWorkspace(sql, workspace_id, user_id, member_id, config.workspace_limit)
    if (member_id === null || member_id === user_id) return c.json<WorkspaceWithRole>(workspace)
    publish({ kind: 'workspace_changed', workspace_id })
    for (const id of [user_id, member_id]) publish({ kind: 'member_changed', workspace_id, user_id: id })
    log.info({ workspace_id, user_id, member_id }, 'workspace transferred')
    return c.json<WorkspaceWithRole>(workspace)
  })

  routes.get('/workspaces/:id/invites', caller, edit, async c => {
    return c.json<Invite[]>(await listInvites(sql, c.get('workspace').id, now()))
  })

  routes.post('/workspaces/:id/invites', caller, edit, async c => {
    const { workspace_id, user_id } = workspaceOf(c)
    const body = await readBody(c, createInviteBody)
    const { invite, token } = await createInvite(sql, workspace_id, user_id, body, now())
    log.info({ workspace_id, user_id, invite_id: invite.id }, 'invite created')
    return c.json<CreatedInvite>({ ...invite, url: `${public_url}/join#${token}`, mailed: false }, 201)
  })

  routes.delete('/workspaces/:id/invites/:inviteId', caller, edit, async c => {
    const { workspace_id, user_id } = workspaceOf(c)
    const invite_id = readId(c, 'inviteId', 'Invite')
    await endInvite(sql, workspace_id, user_id, invite_id, now())
    log.info({ workspace_id, user_id, invite_id }, 'invite revoked')
    return c.body(null, 204)
  })

  routes.get('/workspaces/:id/api-keys', caller, own, async c => {
    // `last_used_at` is written with a delay.
    await key_ring.flush()
    return c.json<WorkspaceKey[]>(await listWorkspaceKeys(sql, c.get('workspace').id))
  })

  routes.delete('/workspaces/:id/api-keys/:keyId', caller, own, async c => {
    const key_id = readId(c, 'keyId', 'API key')
    await deleteWorkspaceKey(sql, c.get('workspace').id, key_id)
    keysEnded([key_id])
    return c.body(null, 204)
  })
}

/** `me` stands for the caller. */
const memberId = (c: AppContext) =>
  c.req.param('userId') === 'me' ? c.get('user_id') : readId(c, 'userId', 'Member')
