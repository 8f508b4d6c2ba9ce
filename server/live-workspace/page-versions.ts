// Versions of a workspace's page, and the messages that bring a viewer to the newest version. Pure functions.
import { isDeepStrictEqual } from 'node:util'
import type { ViewRight } from '../../shared/view-right.ts'
import type { ChannelActivity, WorkspaceMessage } from '../../shared/workspace-live.ts'
import { publicSummary } from '../model/channel-summary.ts'
import { type PageRead, pageFor } from '../model/workspace-page.ts'

/** What a viewer's page depends on. */
export type ShownRight = Omit<ViewRight, 'owner_name'>

/** `public_version`: in which a part that all viewers get last changed. */
type VersionedActivity = ChannelActivity & { version: number; public_version: number }

export type PageVersion = {
  version: number
  page: PageRead['page']
  /** The version in which anything but activity last changed. */
  page_version: number
  /** Everything but the activity, as text. */
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
  const channels = before.page.channels.map(channel => {
    const now = activity.get(channel.id)
    if (!now) return channel
    const { card_count, last_card, waiting, webhook } = now
    return { ...channel, card_count, last_card, waiting, webhook }
  })
  return { ...before, version, page: { ...before.page, channels }, activity }
}

/** The changes since version `from`; everything since version 0. */
export function messagesSince(current: PageVersion, from: number, right: ShownRight): WorkspaceMessage[] {
  const { can_edit } = right
  const messages: WorkspaceMessage[] = []
  if (current.page_version > from) messages.push({ type: 'page', page: pageFor(current.page, right) })
  const changed = [...current.activity].filter(
    ([, { version, public_version }]) => (can_edit ? version : public_version) > from,
  )
  if (from > 0 && changed.length === 0) return messages
  const channels = Object.fromEntries(
    changed.map(([id, versioned]) => {
      const activity = activityOf(versioned)
      return [id, can_edit ? activity : publicSummary(activity)]
    }),
  )
  return [...messages, { type: 'activity', channels }]
}

function versioned(known: VersionedActivity | undefined, now: ChannelActivity, version: number) {
  if (!known) return { ...now, version, public_version: version }
  const before = activityOf(known)
  if (isDeepStrictEqual(before, now)) return known
  const samePublic = isDeepStrictEqual(publicSummary(before), publicSummary(now))
  return { ...now, version, public_version: samePublic ? known.public_version : version }
}

function activityOf({ version: _, public_version: __, ...activity }: VersionedActivity): ChannelActivity {
  return activity
}

function identityOf({ channels, ...page }: PageRead['page'], access_version: number): string {
  return JSON.stringify({
    ...page,
    access_version,
    channels: channels.map(
      ({ card_count: _, last_card: __, waiting: ___, webhook: ____, ...channel }) => channel,
    ),
  })
}
