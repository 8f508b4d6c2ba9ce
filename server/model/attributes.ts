// Channel attributes, and the workspace's settings for them.
import type { AttributeSetting, AttributeSettingBody, Attributes } from '../../shared/attributes.ts'
import { ATTRIBUTE_SETTINGS_MAX, ATTRIBUTES_MAX } from '../../shared/limits.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { ApiError, notFound } from '../errors.ts'
import { beginFor } from './begin-for.ts'

/** `created_at`, `updated_at`: first and last change of the attributes. Until the first change, both are the channel's creation. */
export async function readAttributes(sql: AnySql, channel_id: string): Promise<Attributes> {
  const rows = await sql<{ key: string; value: string }[]>`
    select key, value from channel_attributes where channel_id = ${channel_id} order by key`
  const [times] = await sql<{ created_at: string; updated_at: string }[]>`
    select coalesce(t.created_at, c.created_at) as created_at, coalesce(t.updated_at, c.created_at) as updated_at
    from channels c left join channel_attribute_times t on t.channel_id = c.id where c.id = ${channel_id}`
  if (!times) throw notFound('Channel')
  return { ...Object.fromEntries(rows.map(({ key, value }) => [key, value])), ...times }
}

/** An empty value clears an attribute. Other attributes stay. */
export function putAttributes(
  sql: Sql,
  { id: channel_id, owner_id }: { id: string; owner_id: string },
  changes: [string, string][],
  now: number,
) {
  return beginFor(sql, owner_id, async tx => {
    // The lock makes concurrent changes wait, so that together they can't exceed the limit.
    const [channel] = await tx`select id from channels where id = ${channel_id} for no key update`
    if (!channel) throw notFound('Channel')
    await writeAttributes(tx, channel_id, changes, now)
    return readAttributes(tx, channel_id)
  })
}

export async function writeAttributes(
  tx: Transaction,
  channel_id: string,
  changes: [string, string][],
  now: number,
): Promise<void> {
  const toClear = changes.filter(([, value]) => value === '').map(([key]) => key)
  const toSet = changes.flatMap(([key, value]) => (value === '' ? [] : [{ channel_id, key, value }]))
  let changed = 0
  if (toClear.length > 0) {
    const deleted = await tx`
      delete from channel_attributes where channel_id = ${channel_id} and key = any(${toClear}::text[])`
    changed += deleted.count
  }
  if (toSet.length > 0) {
    const written = await tx`
      insert into channel_attributes ${tx(toSet)} on conflict (channel_id, key)
      do update set value = excluded.value where channel_attributes.value <> excluded.value`
    changed += written.count
  }
  if (changed === 0) return
  const [stored] = await tx<{ count: number }[]>`
    select count(*)::integer as count from channel_attributes where channel_id = ${channel_id}`
  if ((stored?.count ?? 0) > ATTRIBUTES_MAX) throw tooManyAttributes()
  const at = new Date(now).toISOString()
  await tx`
    insert into channel_attribute_times (channel_id, created_at, updated_at) values (${channel_id}, ${at}, ${at})
    on conflict (channel_id) do update set updated_at = excluded.updated_at`
}

export const tooManyAttributes = () =>
  new ApiError('attribute_limit', `A channel has at most ${ATTRIBUTES_MAX} attributes`)

/** A setting for every key that a channel of the workspace uses or that has a stored setting. Not sent if used as a subquery. */
export function listAttributeSettings(sql: Sql, workspace_id: string) {
  return sql<AttributeSetting[]>`
    select key, coalesce(s.use_as_filter, false) as use_as_filter, coalesce(s.show_in_sidebar, false) as show_in_sidebar
    from (
      select a.key from channel_attributes a join channels c on c.id = a.channel_id
      where c.workspace_id = ${workspace_id}
      union select key from attribute_settings where workspace_id = ${workspace_id}
    ) keys left join (select * from attribute_settings where workspace_id = ${workspace_id}) s using (key)
    order by key collate "C"`
}

/** A field that `setting` lacks keeps its stored value; without one, it is false. */
export function putAttributeSetting(
  sql: Sql,
  owner_id: string,
  workspace_id: string,
  setting: AttributeSettingBody,
) {
  const { key, use_as_filter, show_in_sidebar } = { use_as_filter: null, show_in_sidebar: null, ...setting }
  return beginFor(sql, owner_id, async tx => {
    // The lock makes concurrent changes wait, so that together they can't exceed the limit.
    const [workspace] = await tx`select from workspaces where id = ${workspace_id} for no key update`
    if (!workspace) throw notFound('Workspace')
    const [written] = await tx<AttributeSetting[]>`
      insert into attribute_settings (workspace_id, key, use_as_filter, show_in_sidebar)
      select ${workspace_id}::uuid, ${key}::text, coalesce(${use_as_filter}::boolean, false),
        coalesce(${show_in_sidebar}::boolean, false)
      where (select count(*) from attribute_settings where workspace_id = ${workspace_id}) < ${ATTRIBUTE_SETTINGS_MAX}
        or exists (select from attribute_settings where workspace_id = ${workspace_id} and key = ${key})
      on conflict (workspace_id, key) do update set
        use_as_filter = coalesce(${use_as_filter}::boolean, attribute_settings.use_as_filter),
        show_in_sidebar = coalesce(${show_in_sidebar}::boolean, attribute_settings.show_in_sidebar)
      returning key, use_as_filter, show_in_sidebar`
    if (!written)
      throw new ApiError(
        'attribute_setting_limit',
        `at most ${ATTRIBUTE_SETTINGS_MAX} attributes can have settings`,
      )
    return written
  })
}
