// Reads a workspace's page: the workspace, its channels, and its attribute settings.
import type { ChannelSummary } from '../../shared/channel-summary.ts'
import type { ViewRight } from '../../shared/view-right.ts'
import type { WorkspaceHead } from '../../shared/workspace.ts'
import type { ChannelActivity, PageChannel, ViewedWorkspace } from '../../shared/workspace-live.ts'
import type { Sql } from '../database/connect.ts'
import { listAttributeSettings } from './attributes.ts'
import { withTexts } from './card-texts.ts'
import {
  joinNewestCard,
  publicSummary,
  type ReadSummary,
  type SummaryViewer,
  summaryColumns,
  summaryFor,
  type UnfinishedSummary,
} from './channel-summary.ts'

/** Whose page it is. */
export type PageViewer = SummaryViewer & { can_edit: boolean }

/** As read, for all viewers. */
type Read<T> = Omit<T, keyof ChannelSummary> & ReadSummary
export type ReadChannel = Read<PageChannel>
export type ReadActivity = Read<ChannelActivity>

export type PageRead = {
  page: Omit<ViewedWorkspace, keyof ViewRight | 'channels'> & { channels: ReadChannel[]; owner_name: string }
  activity: Map<string, ReadActivity>
  /** Increases when the rules for viewers change. */
  access_version: number
}

type Unfinished<T> = Omit<T, keyof ChannelSummary> & UnfinishedSummary

type PageRow = WorkspaceHead &
  Pick<PageRead, 'access_version'> &
  Pick<PageRead['page'], 'owner_name'> &
  Pick<ViewedWorkspace, 'attribute_settings'> & { channels: Unfinished<PageChannel & ChannelActivity>[] }

/** Uses one statement, so that page and activity belong together, except for the texts of cards. Returns null for an unknown workspace. */
export async function readWorkspacePage(sql: Sql, workspace_id: string): Promise<PageRead | null> {
  const [row] = await sql<PageRow[]>`
    select w.id, w.name, w.slug, w.custom_slug, w.icon, w.visibility, w.layout, w.show_search, w.access_version, u.name as owner_name,
      (
        select coalesce(json_agg(json_build_object(
          'id', c.id, 'name', c.name, 'description', c.description, 'icon', c.icon, 'mode', c.mode,
          'card_count', card_count, 'newest_position', newest_position, 'last_card', last_card, 'questions', questions,
          'webhook', webhook, 'attributes', (
            select coalesce(json_object_agg(key, value order by key collate "C"), '{}')
            from channel_attributes where channel_id = c.id
          )) order by c.created_at, c.id), '[]')
        from (
          select c.*, ${activityColumns(sql)}
          from channels c join documents d on d.channel_id = c.id ${joinNewestCard(sql)} where c.workspace_id = w.id
        ) c
      ) as channels,
      (select coalesce(json_agg(s), '[]') from (${listAttributeSettings(sql, workspace_id)}) s) as attribute_settings
    from workspaces w join users u on u.id = w.user_id where w.id = ${workspace_id}`
  if (!row) return null
  const { access_version, owner_name, channels: unfinished, attribute_settings, ...workspace } = row
  const read = await withTexts(sql, unfinished)
  const channels = read.map(({ newest_position: _, ...channel }) => channel)
  const activity = new Map(
    read.map(({ id, newest_position, card_count, last_card, questions, webhook }) => [
      id,
      { newest_position, card_count, last_card, questions, webhook },
    ]),
  )
  return { page: { workspace, channels, attribute_settings, owner_name }, activity, access_version }
}

/** The page as this viewer sees it. */
export function pageFor(
  { channels, owner_name, ...page }: PageRead['page'],
  viewer: PageViewer,
): ViewedWorkspace {
  const { role, can_edit, can_act } = viewer
  const shown = channels.map(channel => listedFor(channel, viewer))
  return { ...page, channels: shown, role, can_edit, can_act, ...(role !== null && { owner_name }) }
}

/** A channel, or its activity, as this viewer sees it. */
export function listedFor<T extends ReadSummary>(channel: T, viewer: PageViewer) {
  const summary = summaryFor(channel, viewer)
  return viewer.can_edit ? summary : publicSummary(summary)
}

const activityColumns = (sql: Sql) => sql`
  d.card_count, newest.position as newest_position, ${summaryColumns(sql)}`

export async function readActivity(sql: Sql, channel_ids: string[]): Promise<Map<string, ReadActivity>> {
  const rows = await sql<(Unfinished<ChannelActivity> & { id: string })[]>`
    select c.id, ${activityColumns(sql)}
    from channels c join documents d on d.channel_id = c.id ${joinNewestCard(sql)}
    where c.id = any(${channel_ids}::uuid[])`
  return new Map((await withTexts(sql, rows)).map(({ id, ...activity }) => [id, activity]))
}
