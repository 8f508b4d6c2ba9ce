// Deletes local copies: of what was deleted, what this browser's user may no longer see, and what is out of date.
import type { Visibility } from '../../../shared/channel.ts'
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { ViewRight } from '../../../shared/view-right.ts'
import type { ViewedWorkspace } from '../../../shared/workspace-live.ts'
import { connectTabs } from '../../lib/other-tabs.ts'
import { dropInteractions } from '../outbox/interaction-store.ts'
import { GUEST } from '../viewer.ts'
import type { SeenChannel, WorkspaceCopy } from './channels.ts'
import {
  deleteAllEntries,
  deleteEntries,
  inTime,
  readEntries,
  readEntry,
  rewriteEntries,
  stopWriting,
  writeEntry,
} from './database.ts'
import { dropEarlyRead } from './early-read.ts'
import { dropCopyInTab } from './tab-storage.ts'
import { dropPage, dropTopCards } from './top-cards.ts'

/** Drops a deleted channel. The caller must first stop everything that writes its copy. */
export async function dropChannel(channelId: string): Promise<void> {
  await dropChannels([channelId])
  await rewriteEntries<WorkspaceCopy>('workspace:', ({ page, saved_at }) => {
    const channels = page.channels.filter(({ id }) => id !== channelId)
    return { page: { ...page, channels }, saved_at }
  })
}

/** Access was refused: drops the channel, and the pages of workspaces that list it. */
export async function dropForbidden(channelId: string): Promise<void> {
  await dropChannels([channelId])
  await dropWorkspacePages(page => page.channels.some(({ id }) => id === channelId))
}

export const dropWorkspace = (workspaceId: string) =>
  inTime(
    dropAll(
      ({ workspace }) => workspace.id === workspaceId,
      ({ channel }) => channel.workspace_id === workspaceId,
    ),
  )

/** Nobody is signed in: drops what only a role lets a person see. The outbox stays until another user signs in. */
export async function dropSeenByRole(): Promise<void> {
  const isByRole = (visibility: Visibility, right: Right) =>
    visibility === 'private' || (visibility === 'protected' && hasRole(right))
  await inTime(
    dropAll(
      ({ workspace, ...right }) => isByRole(workspace.visibility, right),
      ({ channel, ...right }) => isByRole(channel.visibility, right),
    ),
  )
  await inTime(rewriteEntries<SeenChannel>('view:', withoutNames))
}

/** Only people with a role see the names of chosen people, also on the page as it was left. */
function withoutNames(seen: SeenChannel): SeenChannel {
  const { channel, workspace } = seen.view
  if (!hasRole(seen.view)) return seen
  dropPage(channel.id)
  return { ...seen, view: { channel, workspace, can_edit: false, ...GUEST } }
}

/** `workspaceIds`: all in which the person has a role. What a role in another one let them see is dropped. */
export async function dropLostRoles(workspaceIds: string[]): Promise<void> {
  const ids = new Set(workspaceIds)
  await inTime(
    dropAll(
      ({ workspace, ...right }) => hasRole(right) && !ids.has(workspace.id),
      ({ channel, ...right }) => hasRole(right) && !ids.has(channel.workspace_id),
    ),
  )
}

type Right = Pick<ViewRight, 'role' | 'can_edit'>

/** A copy that an older version saved has no `role`. */
const hasRole = ({ role, can_edit }: Right) => Boolean(role) || can_edit

export const dropWorkspaceCopy = (slug: string) => inTime(deleteEntries(key => key === `workspace:${slug}`))

/** The server lost history: drops the channel's document and saved pages, and keeps drafts. */
export async function dropStaleDocument(channelId: string): Promise<void> {
  const isStale = (key: string) => key === `document:${channelId}` || key.startsWith(`page:${channelId}:`)
  await inTime(deleteEntries(isStale))
  dropTopCards(new Set([channelId]))
}

async function dropAll(
  mustDropPage: (page: ViewedWorkspace) => boolean,
  mustDropChannel: (view: ChannelView) => boolean,
): Promise<void> {
  const listed = (await dropWorkspacePages(mustDropPage)).flatMap(page => page.channels)
  const seen = [...(await readEntries<SeenChannel>('view:')).values()].map(({ view }) => view)
  const channels = seen.filter(mustDropChannel).map(view => view.channel)
  await dropChannels([...listed, ...channels].map(({ id }) => id))
}

const listeners: ((channelIds: ReadonlySet<string>) => void)[] = []

/** Calls `listener` before channels are dropped, so that the page doesn't write again what it holds of them. */
export const onDrop = (listener: (channelIds: ReadonlySet<string>) => void) => listeners.push(listener)

async function dropChannels(channelIds: string[]): Promise<void> {
  const dropped = new Set(channelIds)
  for (const listener of listeners) listener(dropped)
  // Keys are `<kind>:<channel id>`, or longer, except those of workspaces and a few without a colon.
  await deleteEntries(key => !key.startsWith('workspace:') && dropped.has(key.split(':')[1] ?? ''))
  dropTopCards(dropped)
}

async function dropWorkspacePages(mustDrop: (page: ViewedWorkspace) => boolean): Promise<ViewedWorkspace[]> {
  const saved = await readEntries<WorkspaceCopy>('workspace:')
  const dropped = new Map([...saved].filter(([, { page }]) => mustDrop(page)))
  await deleteEntries(key => dropped.has(key))
  return [...dropped.values()].map(({ page }) => page)
}

/** `dropTopCards` runs in every tab, because a tab may save its cards after another tab dropped them. */
function wipeTab(): void {
  stopWriting()
  dropCopyInTab()
  dropTopCards()
}

const tellTabs = connectTabs('channel-feed', () => {
  wipeTab()
  location.assign('/')
})

/** Drops all copies and the outbox. No tab saves anything until its page loads again. */
export async function wipe(): Promise<void> {
  wipeTab()
  tellTabs('wiped')
  await inTime(Promise.all([deleteAllEntries(), dropInteractions()]))
}

/** Records who is signed in. If that was another user before, drops that user's copies and outbox. */
export async function recordUser(userId: string): Promise<void> {
  await inTime(replaceUser(userId))
}

async function replaceUser(userId: string): Promise<void> {
  // Browsers already hold the user under this key.
  const lastUser = await readEntry<string>('owner')
  if (lastUser === userId) return
  if (lastUser !== undefined) {
    dropCopyInTab()
    dropEarlyRead()
    await Promise.all([deleteAllEntries(), dropInteractions()])
    dropTopCards()
  }
  await writeEntry('owner', userId)
}
