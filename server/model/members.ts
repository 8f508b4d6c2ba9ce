// The people of a workspace: lists, changes and removes members, and hands the workspace over. Every change holds the
// workspace's row, so that changes of one workspace come one after another.
import type { Member, WorkspaceKey } from '../../shared/member.ts'
import { includesRole, MEMBER_ROLES, type MemberRole, mayManage, type Role } from '../../shared/role.ts'
import type { WorkspaceWithRole } from '../../shared/workspace.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { accessDenied, apiError, notFound } from '../errors.ts'
import { deleteResponsesBelow } from '../feed/log/stored-responses.ts'
import { beginFor } from './begin-for.ts'
import { countWorkspaces, requireWorkspace } from './workspaces.ts'

/** Returns false if the workspace is deleted. */
export async function lockWorkspace(tx: Transaction, id: string): Promise<boolean> {
  const found = await tx`select from workspaces where id = ${id} for no key update`
  return found.length > 0
}

/** The owner first, then by name. */
export async function listMembers(sql: AnySql, workspace_id: string): Promise<Member[]> {
  return sql<Member[]>`
    select u.id as user_id, u.name, u.email, p.role, p.joined_at
    from (
      select user_id, 'owner' as role, created_at as joined_at from workspaces where id = ${workspace_id}
      union all select user_id, role, joined_at from workspace_members where workspace_id = ${workspace_id}
    ) p join users u on u.id = p.user_id
    order by p.role <> 'owner', lower(u.name), u.id`
}

async function findMember(sql: AnySql, workspace_id: string, user_id: string): Promise<Member | undefined> {
  return (await listMembers(sql, workspace_id)).find(member => member.user_id === user_id)
}

/** `key_ids`: of the keys that ended. */
type MemberChange = { member: Member; key_ids: string[] }

/** Throws 403 or 404 for what `by` may not do. Everyone but the owner may lower their own role. */
export function changeRole(
  sql: Sql,
  workspace_id: string,
  by: string,
  user_id: string,
  role: MemberRole,
): Promise<MemberChange> {
  return change(sql, workspace_id, by, user_id, async (tx, member, own_role) => {
    if (member.role === 'owner') throw apiError('owner_role')
    const lowers = by === user_id && includesRole(member.role, role)
    if (!lowers && ![member.role, role].every(of => mayManage(own_role, of))) throw accessDenied()
    if (member.role === role) return []
    await tx`
      update workspace_members set role = ${role} where workspace_id = ${workspace_id} and user_id = ${user_id}`
    return takeRights(tx, workspace_id, user_id, role)
  })
}

/** The same for a removal. Everyone but the owner may leave. */
export function removeMember(
  sql: Sql,
  workspace_id: string,
  by: string,
  user_id: string,
): Promise<MemberChange> {
  return change(sql, workspace_id, by, user_id, async (tx, member, own_role) => {
    if (member.role === 'owner') throw apiError('owner_leaves')
    if (by !== user_id && !mayManage(own_role, member.role)) throw accessDenied()
    await tx`delete from workspace_members where workspace_id = ${workspace_id} and user_id = ${user_id}`
    return takeRights(tx, workspace_id, user_id, null)
  })
}

type Work = (tx: Transaction, member: Member, own_role: Role) => Promise<string[]>

function change(
  sql: Sql,
  workspace_id: string,
  by: string,
  user_id: string,
  work: Work,
): Promise<MemberChange> {
  return beginFor(sql, by, async tx => {
    await lockWorkspace(tx, workspace_id)
    const { role } = await requireWorkspace(tx, by, workspace_id, by === user_id ? 'viewer' : 'editor')
    const member = await findMember(tx, workspace_id, user_id)
    if (!member) throw notFound('Member')
    const key_ids = await work(tx, member, role)
    return { member: (await findMember(tx, workspace_id, user_id)) ?? member, key_ids }
  })
}

/** Ends what a person may no longer have with `role`; null: without one. Returns the ids of the keys that ended. */
async function takeRights(
  tx: Transaction,
  workspace_id: string,
  user_id: string,
  role: MemberRole | null,
): Promise<string[]> {
  await endInvites(tx, workspace_id, user_id, role)
  if (includesRole(role, 'editor')) return []
  const keys = await tx<{ id: string }[]>`
    delete from api_keys where workspace_id = ${workspace_id} and user_id = ${user_id} returning id`
  const channels = await tx<{ id: string }[]>`select id from channels where workspace_id = ${workspace_id}`
  await deleteResponsesBelow(
    tx,
    [user_id],
    channels.map(({ id }) => id),
  )
  return keys.map(({ id }) => id)
}

/** Invites whose roles their creator may no longer give end for good. */
async function endInvites(tx: Transaction, workspace_id: string, user_id: string, role: Role | null) {
  const taken = MEMBER_ROLES.filter(given => !mayManage(role, given))
  await tx`
    update workspace_invites set uses_left = 0
    where workspace_id = ${workspace_id} and created_by = ${user_id} and role = any(${taken}::text[])`
}

/** Makes a member the owner, and the owner an editor. */
export function transferWorkspace(
  sql: Sql,
  workspace_id: string,
  owner_id: string,
  new_owner_id: string | null,
  limit: number | null,
): Promise<WorkspaceWithRole> {
  return beginFor(sql, owner_id, async tx => {
    // Serializes what gives this person a workspace, so that the count is right.
    await tx`select from users where id = ${new_owner_id} for no key update`
    await lockWorkspace(tx, workspace_id)
    const workspace = await requireWorkspace(tx, owner_id, workspace_id, 'owner')
    if (new_owner_id === owner_id) return workspace
    const member = new_owner_id === null ? undefined : await findMember(tx, workspace_id, new_owner_id)
    if (!member) throw notFound('Member')
    const { user_id } = member
    if (limit !== null && (await countWorkspaces(tx, user_id)) >= limit) throw apiError('workspace_limit')
    await tx`delete from workspace_members where workspace_id = ${workspace_id} and user_id = ${user_id}`
    await tx`
      insert into workspace_members (workspace_id, user_id, role) values (${workspace_id}, ${owner_id}, 'editor')`
    await tx`update workspaces set user_id = ${user_id} where id = ${workspace_id}`
    await endInvites(tx, workspace_id, owner_id, 'editor')
    await tx`
      update webhook_queues set owner_id = ${user_id}
      where channel_id in (select id from channels where workspace_id = ${workspace_id})`
    return { ...workspace, user_id, role: 'editor' as const }
  })
}

/** The keys confined to the workspace, of all its people. */
export async function listWorkspaceKeys(sql: Sql, workspace_id: string): Promise<WorkspaceKey[]> {
  return sql<WorkspaceKey[]>`
    select k.id, k.name, k.scope, k.workspace_id, k.prefix, k.expires_at, k.last_used_at, k.created_at,
      json_build_object('id', u.id, 'name', u.name) as user
    from api_keys k join users u on u.id = k.user_id
    where k.workspace_id = ${workspace_id} order by k.created_at, k.id`
}

export async function deleteWorkspaceKey(sql: Sql, workspace_id: string, id: string): Promise<void> {
  const deleted = await sql`
    delete from api_keys where id = ${id} and workspace_id = ${workspace_id} returning id`
  if (deleted.length === 0) throw notFound('API key')
}
