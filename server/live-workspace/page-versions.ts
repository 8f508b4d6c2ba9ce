// Versions of a workspace's page, and the messages that bring a viewer to the newest version. Pure functions.
import type { ChannelActivity, WorkspaceMessage } from '../../shared/workspace-live.ts'
import type { PageRead } from '../model/workspace-page.ts'

type VersionedActivity = ChannelActivity & { version: number }

export type PageVersion = {
  version: number
  page: PageRead['page']
  /** The version in which anything but card counts last changed. */
  page_version: number
  /** Everything but the card counts, as text. */
  identity: string
  activity: Map<string, VersionedActivity>
  access_version: number
}

export function afterPage(
  before: PageVersion | null,
  { page, activity: read, access_version }: PageRead,
): PageVersion {
  const version = (before?.version ?? 0) + 1
  const identity = identityOf(page, access_version)
  const activity = new Map(
    [...read].map(([id, now]) => [id, versioned(before?.activity.get(id), now, version)]),
  )
  if (before?.identity !== identity)
    return { version, page, page_version: version, identity, activity, access_version }
  const changed = [...activity.values()].some(channel => channel.version === version)
  return changed ? { ...before, version, page, activity } : before
}

/** Returns `before` itself if nothing changed. Ignores channels that the page doesn't list. */
export function afterActivity(before: PageVersion, read: Map<string, ChannelActivity>): PageVersion {
  const version = before.version + 1
  const activity = new Map(before.activity)
  for (const [id, now] of read) {
    const known = before.activity.get(id)
    if (known) activity.set(id, versioned(known, now, version))
  }
  if (![...read.keys()].some(id => activity.get(id)?.version === version)) return before
  const channels = before.page.channels.map(channel => ({
    ...channel,
    card_count: activity.get(channel.id)?.card_count ?? channel.card_count,
  }))
  return { ...before, version, page: { ...before.page, channels }, activity }
}

/** The changes since version `from`; everything since version 0. */
export function messagesSince(current: PageVersion, from: number, can_edit: boolean): WorkspaceMessage[] {
  const messages: WorkspaceMessage[] = []
  if (current.page_version > from) messages.push({ type: 'page', page: { ...current.page, can_edit } })
  const changed = [...current.activity].filter(([, { version }]) => version > from)
  if (from > 0 && changed.length === 0) return messages
  const channels = Object.fromEntries(
    changed.map(([id, { newest_position, card_count }]) => [id, { newest_position, card_count }]),
  )
  return [...messages, { type: 'activity', channels }]
}

function versioned(known: VersionedActivity | undefined, now: ChannelActivity, version: number) {
  const same = known?.newest_position === now.newest_position && known?.card_count === now.card_count
  return known && same ? known : { ...now, version }
}

function identityOf({ channels, ...page }: PageRead['page'], access_version: number): string {
  return JSON.stringify({
    ...page,
    access_version,
    channels: channels.map(({ card_count: _, ...channel }) => channel),
  })
}
