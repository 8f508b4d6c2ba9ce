// Invites to a workspace: links with a random token, of which the database keeps only the hash. What ends an invite sets its
// uses to 0, so that it never revives, and so that those who joined with it can repeat their request.
import { randomUUID } from 'node:crypto'
import { INVITES_MAX } from '../../shared/limits.ts'
import type { CreateInviteBody, Invite, InvitePreview, Joined } from '../../shared/member.ts'
import { includesRole, type MemberRole, mayManage } from '../../shared/role.ts'
import type { User } from '../../shared/user.ts'
import { randomToken, sha256 } from '../auth/tokens.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { accessDenied, apiError, notFound } from '../errors.ts'
import { beginFor } from './begin-for.ts'
import { lockWorkspace } from './members.ts'
import { insertUser, type NewUser } from './users.ts'
import { requireWorkspace } from './workspaces.ts'

const DAY_MS = 86_400_000

const isOpen = (sql: AnySql, now: number) =>
  sql`i.uses_left > 0 and i.expires_at > ${new Date(now).toISOString()}`

export async function listInvites(sql: AnySql, workspace_id: string, now: number): Promise<Invite[]> {
  return sql<Invite[]>`
    select i.id, i.role, i.email, i.uses_left, json_build_object('id', u.id, 'name', u.name) as created_by,
      i.created_at, i.expires_at
    from workspace_invites i join users u on u.id = i.created_by
    where i.workspace_id = ${workspace_id} and ${isOpen(sql, now)} order by i.created_at, i.id`
}

export function createInvite(
  sql: Sql,
  workspace_id: string,
  by: string,
  { role, email, uses, expires_in_days }: CreateInviteBody,
  now: number,
): Promise<{ invite: Invite; token: string }> {
  const [id, token] = [randomUUID(), randomToken()]
  return beginFor(sql, by, async tx => {
    await lockWorkspace(tx, workspace_id)
    const { role: own_role } = await requireWorkspace(tx, by, workspace_id, 'editor')
    if (!mayManage(own_role, role)) throw accessDenied()
    if ((await listInvites(tx, workspace_id, now)).length >= INVITES_MAX) throw apiError('invite_limit')
    await tx`
      insert into workspace_invites
        (id, workspace_id, token_hash, role, email, uses_left, created_by, created_at, expires_at)
      values (${id}, ${workspace_id}, ${sha256(token)}, ${role}, ${email}, ${uses}, ${by},
        ${new Date(now).toISOString()}, ${new Date(now + expires_in_days * DAY_MS).toISOString()})`
    const invite = (await listInvites(tx, workspace_id, now)).find(invite => invite.id === id)
    if (!invite) throw new Error('a new invite is open')
    return { invite, token }
  })
}

/** Those who may invite with its role may end it, and its creator. */
export function endInvite(
  sql: Sql,
  workspace_id: string,
  by: string,
  id: string,
  now: number,
): Promise<void> {
  return beginFor(sql, by, async tx => {
    await lockWorkspace(tx, workspace_id)
    const { role } = await requireWorkspace(tx, by, workspace_id, 'editor')
    const invite = (await listInvites(tx, workspace_id, now)).find(invite => invite.id === id)
    if (!invite) throw notFound('Invite')
    if (!mayManage(role, invite.role) && invite.created_by.id !== by) throw accessDenied()
    await tx`update workspace_invites set uses_left = 0 where id = ${id}`
  })
}

/** Null for an invite that is unknown or has ended. */
export async function findInvite(sql: AnySql, token: string, now: number): Promise<InvitePreview | null> {
  const [preview] = await sql<InvitePreview[]>`
    select json_build_object('name', w.name, 'icon', w.icon) as workspace, i.role,
      json_build_object('name', u.name) as invited_by, i.email, i.expires_at
    from workspace_invites i join workspaces w on w.id = i.workspace_id join users u on u.id = i.created_by
    where i.token_hash = ${sha256(token)} and ${isOpen(sql, now)}`
  return preview ?? null
}

/** The same, but throws 404. */
export async function previewInvite(sql: AnySql, token: string, now: number): Promise<InvitePreview> {
  const invite = await findInvite(sql, token, now)
  if (!invite) throw notFound('Invite')
  return invite
}

/** `changed`: false for a repetition, and for a person whose role already includes the invite's. */
export type Accepted = Joined & { changed: boolean; invite_id: string }
type Options = { token: string; member_limit: number | null; now: number }

export function acceptInvite(sql: Sql, user: User, options: Options): Promise<Accepted> {
  return beginFor(sql, user.id, tx => acceptWithin(tx, user, options))
}

/** Creates the account and accepts the invite, or does neither. */
export function signUpWithInvite(
  sql: Sql,
  new_user: NewUser,
  options: Options,
): Promise<{ user: User; accepted: Accepted }> {
  return sql.begin(async tx => {
    const user = await insertUser(tx, new_user)
    return { user, accepted: await acceptWithin(tx, user, options) }
  })
}

type FoundInvite = { id: string; role: MemberRole; email: string | null; open: boolean; used: boolean }

/** The same in a transaction that does more. */
export async function acceptWithin(
  tx: Transaction,
  user: User,
  { token, member_limit, now }: Options,
): Promise<Accepted> {
  const [known] = await tx<{ workspace_id: string }[]>`
    select workspace_id from workspace_invites where token_hash = ${sha256(token)}`
  const workspace_id = known?.workspace_id ?? null
  if (workspace_id === null || !(await lockWorkspace(tx, workspace_id))) throw notFound('Invite')
  const [invite] = await tx<FoundInvite[]>`
    select i.id, i.role, i.email, ${isOpen(tx, now)} as open,
      exists (select from invite_uses where invite_id = i.id and user_id = ${user.id}) as used
    from workspace_invites i where i.token_hash = ${sha256(token)}`
  if (!invite) throw notFound('Invite')
  const { role, ...workspace } = await readJoined(tx, user.id, workspace_id)
  // Whoever was removed can't come back with the same invite.
  if (invite.used ? role === null : !invite.open) throw notFound('Invite')
  if (invite.email !== null && invite.email !== user.email) throw apiError('invite_not_yours')
  if (role !== null && (invite.used || includesRole(role, invite.role)))
    return { workspace, role, changed: false, invite_id: invite.id }
  if (role === null) await checkMemberLimit(tx, workspace_id, member_limit)
  await tx`
    insert into workspace_members (workspace_id, user_id, role) values (${workspace_id}, ${user.id}, ${invite.role})
    on conflict (workspace_id, user_id) do update set role = excluded.role`
  await tx`update workspace_invites set uses_left = uses_left - 1 where id = ${invite.id}`
  await tx`insert into invite_uses (invite_id, user_id) values (${invite.id}, ${user.id})`
  return { workspace, role: invite.role, changed: true, invite_id: invite.id }
}

async function readJoined(tx: Transaction, user_id: string, workspace_id: string) {
  const [workspace] = await tx<(Joined['workspace'] & { role: Joined['role'] | null })[]>`
    select w.id, w.name, w.slug, w.icon, case when w.user_id = ${user_id} then 'owner' else m.role end as role
    from workspaces w left join workspace_members m on m.workspace_id = w.id and m.user_id = ${user_id}
    where w.id = ${workspace_id}`
  if (!workspace) throw notFound('Invite')
  return workspace
}

async function checkMemberLimit(tx: Transaction, workspace_id: string, limit: number | null): Promise<void> {
  const [members] = await tx<{ count: number }[]>`
    select count(*)::integer as count from workspace_members where workspace_id = ${workspace_id}`
  if (limit !== null && (members?.count ?? 0) >= limit) throw apiError('member_limit')
}

/** An invite's row stays for a while after its end, for repeated requests. */
export async function deleteOldInvites(sql: Sql): Promise<void> {
  await sql`delete from workspace_invites where expires_at < now() - interval '30 days'`
}
