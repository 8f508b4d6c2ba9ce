// What a workspace's page shows: the workspace, its channels and how it shows their attributes.
import type { WorkspaceHead } from '../../shared/workspace.ts'
import type { ChannelActivity, ShownChannel } from '../../shared/workspace-live.ts'
import type { Sql } from '../database/connect.ts'
import type { PageRead } from '../feed/shown-workspace.ts'
import { listAttributeSettings } from './attributes.ts'

/** null where the workspace is gone. */
export async function readWorkspacePage(sql: Sql, workspace_id: string): Promise<PageRead | null> {
  const [[workspace], rows, attribute_settings] = await Promise.all([
    sql<WorkspaceHead[]>`
      select id, name, slug, custom_slug, icon, visibility, layout, show_search
      from workspaces where id = ${workspace_id}`,
    sql<(ShownChannel & ChannelActivity)[]>`
      select c.id, c.name, c.description, c.icon, c.mode, d.card_count, nullif(d.next_position, 0) - 1 as newest_position,
        (select coalesce(jsonb_object_agg(key, value), '{}') from channel_attributes where channel_id = c.id) as attributes
      from channels c join documents d on d.channel_id = c.id
      where c.workspace_id = ${workspace_id} order by c.created_at, c.id`,
    listAttributeSettings(sql, workspace_id),
  ])
  if (!workspace) return null
  const activity = new Map(
    rows.map(({ id, newest_position, card_count }) => [id, { newest_position, card_count }]),
  )
  const channels = rows.map(({ newest_position: _, ...channel }) => channel)
  return { page: { workspace, channels, attribute_settings }, activity }
}

/** Where the cards of these channels stand. Channels that are gone are left out. */
export async function readActivity(sql: Sql, channel_ids: string[]): Promise<Map<string, ChannelActivity>> {
  const rows = await sql<(ChannelActivity & { channel_id: string })[]>`
    select channel_id, nullif(next_position, 0) - 1 as newest_position, card_count
    from documents where channel_id = any(${channel_ids}::uuid[])`
  return new Map(rows.map(({ channel_id, ...activity }) => [channel_id, activity]))
}
