// Creates, reads, changes and deletes workspaces and their slugs.
import { randomUUID } from 'node:crypto'
import { REQUIRED, validationError } from '../../shared/invalid.ts'
import { includesRole, type Role } from '../../shared/role.ts'
import {
  type CreateWorkspaceBody,
  customSlugBody,
  type NamedWorkspace,
  type PatchWorkspaceBody,
  type SlugCheck,
  slugOf,
  type Workspace,
  type WorkspaceWithRole,
} from '../../shared/workspace.ts'
import { keyReaches, type WorkspaceAccess } from '../auth/access.ts'
import type { Key } from '../auth/api-keys.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { accessDenied, apiError, invalid, notFound, unavailable } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { deleteResponsesBelow } from '../feed/log/stored-responses.ts'
import { beginFor } from './begin-for.ts'
import { setDeletionLimits } from './channels.ts'
import { readEditors } from './editors.ts'
import { hideReceipts, stopHiding } from './receipts.ts'

const columns = (sql: AnySql) => sql`
  w.id, w.name, w.slug, w.custom_slug, w.icon, w.user_id, w.visibility, w.layout, w.show_search, w.created_at`

/** The person's role in the workspace `w`; null without one. */
const roleColumn = (sql: AnySql, user_id: string | null) => sql`
  case when w.user_id = ${user_id}::uuid then 'owner'
    else (select role from workspace_members where workspace_id = w.id and user_id = ${user_id}::uuid) end as role`

/** The owned ones come first, then those that the person joined. */
export async function listWorkspaces(sql: Sql, user_id: string): Promise<WorkspaceWithRole[]> {
  return sql<WorkspaceWithRole[]>`
    select ${columns(sql)}, coalesce(m.role, 'owner') as role
    from workspaces w left join workspace_members m on m.workspace_id = w.id and m.user_id = ${user_id}
    where w.user_id = ${user_id} or w.id in (select workspace_id from workspace_members where user_id = ${user_id})
    order by m.user_id is not null, coalesce(m.joined_at, w.created_at), w.id`
}

export async function readNamedWorkspace(sql: Sql, id: string): Promise<NamedWorkspace> {
  const [head] = await sql<NamedWorkspace[]>`select name, icon, slug from workspaces where id = ${id}`
  if (!head) throw notFound('Workspace')
  return head
}

/** Throws 404, or 403 for people without the role, and with a key that doesn't reach it. `key`: undefined for a session. */
export async function requireWorkspace(
  sql: AnySql,
  user_id: string,
  id: string | null,
  needed: Role,
  key?: Key,
): Promise<WorkspaceWithRole> {
  if (id === null) throw notFound('Workspace')
  const [workspace] = await sql<(Workspace & { role: Role | null })[]>`
    select ${columns(sql)}, ${roleColumn(sql, user_id)} from workspaces w where w.id = ${id}`
  if (!workspace) throw notFound('Workspace')
  const { role } = workspace
  if (role === null || !includesRole(role, needed) || !keyReaches(key, id)) throw accessDenied()
  return { ...workspace, role }
}

export async function createWorkspace(
  sql: Sql,
  user_id: string,
  body: CreateWorkspaceBody,
  limit: number | null,
): Promise<Workspace> {
  return beginFor(sql, user_id, async tx => {
    // The lock serializes a user's creations, so that the count is right. It doesn't block the user's cards.
    await tx`select from users where id = ${user_id} for no key update`
    if (limit !== null && (await countWorkspaces(tx, user_id)) >= limit) throw apiError('workspace_limit')
    const id = randomUUID()
    const [workspace] = await tx<Workspace[]>`
      insert into workspaces as w (id, user_id, name, slug, icon)
      values (${id}, ${user_id}, ${body.name}, '', ${body.icon})
      returning ${columns(tx)}`
    if (!workspace) throw new Error('an insert returns its row')
    const slug = await takeSlug(tx, id, slugOf(body.name))
    await tx`update workspaces set slug = ${slug} where id = ${id}`
    return { ...workspace, slug }
  })
}

export async function countWorkspaces(sql: AnySql, user_id: string): Promise<number> {
  const [owned] = await sql<{ count: number }[]>`
    select count(*)::integer as count from workspaces where user_id = ${user_id}`
  return owned?.count ?? 0
}

/** After this many taken suffixes, the highest one is looked up. */
const SLUGS_TRIED = 20

/** Takes `team`, or the first free slug of `team-2`, `team-3` and so on. Waits for transactions that take the same slug. */
async function takeSlug(tx: Transaction, workspace_id: string, base: string): Promise<string> {
  for (let number = 1; ; number++) {
    if (number > SLUGS_TRIED) number = Math.max(number, (await highestSuffix(tx, base)) + 1)
    const slug = number === 1 ? base : `${base}-${number}`
    const taken = await tx`
      insert into workspace_slugs (slug, workspace_id, custom) values (${slug}, ${workspace_id}, false)
      on conflict (slug) do nothing returning slug`
    if (taken.length > 0) return slug
  }
}

async function highestSuffix(tx: Transaction, base: string): Promise<number> {
  const [row] = await tx<{ highest: number }[]>`
    select coalesce(max(substr(slug, ${base.length + 2})::bigint), 1) as highest from workspace_slugs
    where slug like ${`${base}-%`} and substr(slug, ${base.length + 2}) ~ '^[1-9][0-9]{0,8}$'`
  return row?.highest ?? 1
}

const deletionLock = 0x6366_646c // arbitrary

export async function deleteWorkspace(sql: Sql, feeds: Feeds, user_id: string, id: string) {
  const channelIds = async (tx: AnySql) => {
    const channels = await tx<{ id: string }[]>`select id from channels where workspace_id = ${id}`
    return channels.map(channel => channel.id)
  }
  const remove = async (tx: Transaction) => {
    await setDeletionLimits(tx)
    // One deletion at a time per user, so that the last workspace stays. A lock of the user's row would block sign-ins.
    await tx`select pg_advisory_xact_lock(${deletionLock}, hashtext(${user_id}))`
    await requireWorkspace(tx, user_id, id, 'owner')
    if ((await countWorkspaces(tx, user_id)) === 1) throw apiError('last_workspace')
    // These locks follow the order in connect.ts. The first one prevents new channels in the workspace.
    await tx`select from workspaces where id = ${id} for update`
    const channel_ids = await channelIds(tx)
    await tx`
      select from documents where channel_id = any(${channel_ids}::uuid[]) order by channel_id for update`
    const editors = await readEditors(tx, id)
    await tx`delete from workspaces where id = ${id}`
    await deleteResponsesBelow(tx, [user_id, ...editors], channel_ids)
    return channel_ids
  }
  return feeds.whilePaused(await channelIds(sql), () => beginFor(sql, user_id, remove))
}

/** Its receipts must be hidden first. Everything else is right. */
class NotHidden extends Error {}

type PatchedWorkspace = { workspace: WorkspaceWithRole; access_changed: boolean }

/** A workspace becomes public only after its receipts are hidden. If that fails, nothing changes. */
export async function patchWorkspace(
  { sql, feeds }: { sql: Sql; feeds: Feeds },
  user_id: string,
  id: string,
  body: PatchWorkspaceBody,
  password_hash: string | null,
): Promise<PatchedWorkspace> {
  const patch = () => tryPatch(sql, user_id, id, body, password_hash)
  try {
    return await patch()
  } catch (error) {
    if (!(error instanceof NotHidden)) throw error
  }
  try {
    await hideReceipts(sql, feeds, id)
    return await patch()
  } catch (error) {
    await stopHiding(sql, id)
    // Another request has changed the visibility meanwhile.
    throw error instanceof NotHidden ? unavailable() : error
  }
}

function tryPatch(
  sql: Sql,
  user_id: string,
  id: string,
  body: PatchWorkspaceBody,
  password_hash: string | null,
): Promise<PatchedWorkspace> {
  const { password: _, ...fields } = body
  return beginFor(sql, user_id, async tx => {
    const [before] = await tx<{ visibility: string; password_hash: string | null; hides: boolean }[]>`
      select visibility, password_hash, becoming_public_at is not null as hides
      from workspaces where id = ${id} for no key update`
    if (!before) throw notFound('Workspace')
    if (fields.visibility === 'protected' && password_hash === null && before.password_hash === null)
      throw invalid('password', REQUIRED)
    if (fields.custom_slug !== undefined) await setCustomSlug(tx, id, fields.custom_slug)
    if (Object.keys(fields).length > 0) await tx`update workspaces set ${tx(fields)} where id = ${id}`
    const access_changed =
      password_hash !== null || (fields.visibility !== undefined && fields.visibility !== before.visibility)
    if (access_changed)
      await tx`
        update workspaces set access_version = access_version + 1,
          password_hash = coalesce(${password_hash}, password_hash) where id = ${id}`
    if (fields.visibility === 'public' && before.visibility !== 'public') {
      if (!before.hides) throw new NotHidden()
      await tx`update workspaces set becoming_public_at = null where id = ${id}`
    }
    return { workspace: await requireWorkspace(tx, user_id, id, 'editor'), access_changed }
  })
}

const slugLock = 0x6366_736c // arbitrary

/** A slug belongs to one workspace, which may take its own generated slug as its custom slug. */
async function setCustomSlug(tx: Transaction, workspace_id: string, slug: string | null): Promise<void> {
  // Without this lock, two workspaces that swap slugs would deadlock.
  await tx`select pg_advisory_xact_lock(${slugLock})`
  await tx`delete from workspace_slugs where workspace_id = ${workspace_id} and custom`
  if (slug === null) return
  const taken = await tx`
    insert into workspace_slugs (slug, workspace_id, custom) values (${slug}, ${workspace_id}, true)
    on conflict (slug) do nothing returning slug`
  if (taken.length > 0) return
  const [holder] = await tx`
    select from workspace_slugs where slug = ${slug} and workspace_id = ${workspace_id}`
  if (!holder) throw slugTaken()
}

const slugTaken = () => invalid('custom_slug', 'is already taken', 'slug_taken')

export async function checkSlug(sql: Sql, workspace_id: string, slug: string): Promise<SlugCheck> {
  const malformed = validationError(customSlugBody, { custom_slug: slug })
  if (malformed !== null) return { available: false, reason: malformed }
  const [taken] = await sql`
    select from workspace_slugs where slug = ${slug} and workspace_id <> ${workspace_id}`
  return taken ? { available: false, reason: slugTaken().message } : { available: true, reason: null }
}

/** Refers to a workspace, or to the workspace of a channel. An invalid id is null. */
export type WorkspaceRef = { workspace_id: string | null } | { channel_id: string | null } | { slug: string }

function idOf(sql: Sql, ref: WorkspaceRef) {
  if ('workspace_id' in ref) return sql`${ref.workspace_id}::uuid`
  if ('channel_id' in ref) return sql`(select workspace_id from channels where id = ${ref.channel_id}::uuid)`
  return sql`(select workspace_id from workspace_slugs where slug = ${ref.slug})`
}

/** `user_id`: whose role is read; null for nobody's. */
export async function readAccess(
  sql: Sql,
  ref: WorkspaceRef,
  user_id: string | null,
): Promise<WorkspaceAccess | null> {
  // PostgreSQL rejects NUL, so other characters than those of slugs must not reach it.
  if ('slug' in ref && !/^[a-z0-9-]+$/.test(ref.slug)) return null
  const [access] = await sql<WorkspaceAccess[]>`
    select w.id as workspace_id, w.user_id as owner_id, ${roleColumn(sql, user_id)}, w.visibility, w.access_version
    from workspaces w where w.id = ${idOf(sql, ref)}`
  return access ?? null
}

/** `id`: of a channel or workspace. */
export type AskedAccess = { id: string; user_id: string | null }

/** The same for many, in their order. Undefined if the channel or workspace is deleted. */
export async function readAccesses(sql: Sql, asked: AskedAccess[]): Promise<(WorkspaceAccess | undefined)[]> {
  const given = asked.map(({ id, user_id }, at) => ({ at, id, user_id }))
  const rows = await sql<(WorkspaceAccess & { at: number })[]>`
    with given as (
        select * from json_to_recordset(${JSON.stringify(given)}::text::json) as g (at integer, id uuid, user_id uuid)),
      found as (
        select at, given.user_id, workspace_id from channels join given using (id)
        union all select at, given.user_id, id from workspaces join given using (id)
      )
    select found.at, w.id as workspace_id, w.user_id as owner_id, w.visibility, w.access_version,
      case when w.user_id = found.user_id then 'owner' else m.role end as role
    from found join workspaces w on w.id = found.workspace_id
      left join workspace_members m on m.workspace_id = w.id and m.user_id = found.user_id`
  const accesses = new Map(rows.map(({ at, ...access }) => [at, access]))
  return asked.map((_, at) => accesses.get(at))
}

type UnlockTarget = Pick<WorkspaceAccess, 'visibility' | 'access_version'> & {
  id: string
  password_hash: string | null
}

export async function readUnlockTarget(sql: Sql, ref: WorkspaceRef): Promise<UnlockTarget> {
  const [workspace] = await sql<UnlockTarget[]>`
    select id, visibility, access_version, password_hash from workspaces where id = ${idOf(sql, ref)}`
  if (!workspace) throw notFound('channel_id' in ref ? 'Channel' : 'Workspace')
  return workspace
}
