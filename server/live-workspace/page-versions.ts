// Versions of a workspace's page, and the messages that bring a viewer to the newest version. Pure functions.
import { isDeepStrictEqual } from 'node:util'
import type { WorkspaceMessage } from '../../shared/workspace-live.ts'
import { publicSummary } from '../model/channel-summary.ts'
import {
  listedFor,
  type PageRead,
  type PageViewer,
  pageFor,
  type ReadActivity,
} from '../model/workspace-page.ts'

/** `public_version`: in which a part that all viewers get last changed. */
type VersionedActivity = ReadActivity & { version: number; public_version: number }

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
export function afterActivity(before: PageVersion, read: Map<string, ReadActivity>): PageVersion {
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
    const { card_count, last_card, questions, webhook } = now
    return { ...channel, card_count, last_card, questions, webhook }
  })
  return { ...before, version, page: { ...before.page, channels }, activity }
}

/** The changes since version `from`; everything since version 0. */
export function messagesSince(current: PageVersion, from: number, viewer: PageViewer): WorkspaceMessage[] {
  const messages: WorkspaceMessage[] = []
  if (current.page_version > from) messages.push({ type: 'page', page: pageFor(current.page, viewer) })
  const changed = [...current.activity].filter(
    ([, { version, public_version }]) => (viewer.can_edit ? version : public_version) > from,
  )
  if (from > 0 && changed.length === 0) return messages
  const channels = Object.fromEntries(
    changed.map(([id, versioned]) => [id, listedFor(activityOf(versioned), viewer)]),
  )
  return [...messages, { type: 'activity', channels }]
}

/** The users whom waiting questions of the page list. */
export const listedOn = ({ activity }: PageVersion): ReadonlySet<string> =>
  new Set(
    [...activity.values()].flatMap(({ questions }) =>
      questions.asked.flatMap(({ listed }) => Object.keys(listed ?? {})),
    ),
  )

/** Names the viewers who get the same messages. */
export function groupOf({ role, can_act, user_id }: PageViewer, listed: ReadonlySet<string>): string {
  const person = user_id === null ? 'guest' : listed.has(user_id) ? user_id : 'user'
  return `${role} ${can_act} ${person}`
}

function versioned(known: VersionedActivity | undefined, now: ReadActivity, version: number) {
  if (!known) return { ...now, version, public_version: version }
  const before = activityOf(known)
  if (isDeepStrictEqual(before, now)) return known
  const samePublic = isDeepStrictEqual(publicSummary(before), publicSummary(now))
  return { ...now, version, public_version: samePublic ? known.public_version : version }
}

function activityOf({ version: _, public_version: __, ...activity }: VersionedActivity): ReadActivity {
  return activity
}

function identityOf({ channels, ...page }: PageRead['page'], access_version: number): string {
  return JSON.stringify({
    ...page,
    access_version,
    channels: channels.map(
      ({ card_count: _, last_card: __, questions: ___, webhook: ____, ...channel }) => channel,
    ),
  })
}
