// What the viewers of a workspace's page were told last, and what leads there from an earlier version. Pure.
import type { ChannelActivity, WorkspaceMessage, WorkspacePage } from '../../shared/workspace-live.ts'

/** The page as everyone sees it, and where its channels stand, by their ids: all of one moment. */
export type PageRead = {
  page: Omit<WorkspacePage, 'can_edit'>
  activity: Map<string, ChannelActivity>
  /** Raised with every change of who may see it. */
  access_version: number
}

type Versioned = ChannelActivity & { version: number }

/** Versions count from 1; each part has the one in which it changed last. */
export type Shown = {
  version: number
  page: PageRead['page']
  page_version: number
  /** Equal for pages that differ in card counts alone. Who may see it is a part of it. */
  identity: string
  activity: Map<string, Versioned>
  access_version: number
}

/** What is to be shown now; `before` itself where that changes nothing. */
export function afterPage(before: Shown | null, { page, activity: read, access_version }: PageRead): Shown {
  const version = (before?.version ?? 0) + 1
  const identity = identityOf(page, access_version)
  const activity = new Map(
    [...read].map(([id, now]) => [id, versioned(before?.activity.get(id), now, version)]),
  )
  if (before?.identity !== identity)
    return { version, page, page_version: version, identity, activity, access_version }
  const counted = [...activity.values()].some(one => one.version === version)
  return counted ? { ...before, version, page, activity } : before
}

/** The same where only some channels were asked about; those that the page does not list are left out. */
export function afterActivity(before: Shown, read: Map<string, ChannelActivity>): Shown {
  const version = before.version + 1
  const activity = new Map(before.activity)
  for (const [id, now] of read) {
    const was = before.activity.get(id)
    if (was) activity.set(id, versioned(was, now, version))
  }
  if (![...read.keys()].some(id => activity.get(id)?.version === version)) return before
  const channels = before.page.channels.map(channel => ({
    ...channel,
    card_count: activity.get(channel.id)?.card_count ?? channel.card_count,
  }))
  return { ...before, version, page: { ...before.page, channels }, activity }
}

/** What a viewer who was told version `from` is to hear; 0: who was told nothing. */
export function messagesSince(shown: Shown, from: number, can_edit: boolean): WorkspaceMessage[] {
  const messages: WorkspaceMessage[] = []
  if (shown.page_version > from) messages.push({ type: 'page', page: { ...shown.page, can_edit } })
  const changed = [...shown.activity].filter(([, { version }]) => version > from)
  if (from > 0 && changed.length === 0) return messages
  const channels = Object.fromEntries(
    changed.map(([id, { newest_position, card_count }]) => [id, { newest_position, card_count }]),
  )
  return [...messages, { type: 'activity', channels }]
}

function versioned(was: Versioned | undefined, now: ChannelActivity, version: number): Versioned {
  const same = was?.newest_position === now.newest_position && was?.card_count === now.card_count
  return was && same ? was : { ...now, version }
}

function identityOf({ channels, ...page }: PageRead['page'], access_version: number): string {
  return JSON.stringify({
    ...page,
    access_version,
    channels: channels.map(({ card_count: _, ...channel }) => channel),
  })
}
