// Deletes local copies that this browser's user may no longer see.
import type { Visibility } from '../../../shared/channel.ts'
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { WorkspacePage } from '../../../shared/workspace-live.ts'
import { dropInteractions } from '../outbox/interaction-store.ts'
import type { SeenChannel, WorkspaceCopy } from './channels.ts'
import {
  deleteAllEntries,
  deleteEntries,
  readEntries,
  readEntry,
  rewriteEntries,
  stopWriting,
  writeEntry,
} from './database.ts'
import { dropEarlyRead } from './early-read.ts'
import { dropDraftsInTab } from './tab-storage.ts'
import { dropTopCards } from './top-cards.ts'

/** Drops a deleted channel. Stop everything that writes its copy first. */
export async function dropChannel(channelId: string): Promise<void> {
  await dropChannels([channelId])
  await rewriteEntries<WorkspaceCopy>('workspace:', ({ page, saved_at }) => {
    const channels = page.channels.filter(({ id }) => id !== channelId)
    return { page: { ...page, channels }, saved_at }
  })
}

export async function dropForbidden(channelId: string): Promise<void> {
  await dropChannels([channelId])
  await dropPages(page => page.channels.some(({ id }) => id === channelId))
}

export const dropWorkspace = (workspaceId: string) =>
  dropAll(
    ({ workspace }) => workspace.id === workspaceId,
    ({ channel }) => channel.workspace_id === workspaceId,
  )

/** The session ended: drops what only an owner sees without a password. Waiting interactions stay until a sign-in. */
export function dropOwned(): Promise<void> {
  const isOwned = (visibility: Visibility, can_edit: boolean) =>
    visibility === 'private' || (visibility === 'protected' && can_edit)
  return dropAll(
    ({ workspace, can_edit }) => isOwned(workspace.visibility, can_edit),
    ({ channel, can_edit }) => isOwned(channel.visibility, can_edit),
  )
}

export const dropSlug = (slug: string) => deleteEntries(key => key === `workspace:${slug}`)

/** The server lost history: drops the document and its pages, and keeps drafts. */
export async function dropHistory(channelId: string): Promise<void> {
  await deleteEntries(key => key === `document:${channelId}` || key.startsWith(`page:${channelId}:`))
  dropTopCards(new Set([channelId]))
}

async function dropAll(
  isPageDropped: (page: WorkspacePage) => boolean,
  isChannelDropped: (view: ChannelView) => boolean,
): Promise<void> {
  const listed = (await dropPages(isPageDropped)).flatMap(page => page.channels)
  const seen = [...(await readEntries<SeenChannel>('view:')).values()].map(({ view }) => view)
  const channels = seen.filter(isChannelDropped).map(view => view.channel)
  await dropChannels([...listed, ...channels].map(({ id }) => id))
}

async function dropChannels(channelIds: string[]): Promise<void> {
  const dropped = new Set(channelIds)
  await deleteEntries(key => !key.startsWith('workspace:') && dropped.has(key.split(':')[1] ?? ''))
  dropTopCards(dropped)
}

async function dropPages(isDropped: (page: WorkspacePage) => boolean): Promise<WorkspacePage[]> {
  const saved = await readEntries<WorkspaceCopy>('workspace:')
  const dropped = new Map([...saved].filter(([, { page }]) => isDropped(page)))
  await deleteEntries(key => dropped.has(key))
  return [...dropped.values()].map(({ page }) => page)
}

/** Top cards too: this tab may have saved them after another tab dropped them. */
function wipeTab(): void {
  stopWriting()
  dropDraftsInTab()
  dropTopCards()
}

const tabs = new BroadcastChannel('channel-feed')
tabs.onmessage = () => {
  wipeTab()
  location.assign('/')
}

/** Drops everything, in every tab. Nothing is saved until the page loads again. */
export async function wipe(): Promise<void> {
  wipeTab()
  tabs.postMessage('wiped')
  await Promise.all([deleteAllEntries(), dropInteractions()])
}

/** Records who is signed in. If another user's session ended here, drops that user's copies. */
export async function claim(userId: string): Promise<void> {
  const owner = await readEntry<string>('owner')
  if (owner === userId) return
  if (owner !== undefined) {
    dropDraftsInTab()
    dropEarlyRead()
    await Promise.all([deleteAllEntries(), dropInteractions()])
    dropTopCards()
  }
  await writeEntry('owner', userId)
}
