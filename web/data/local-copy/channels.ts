// Channels and workspaces that this browser has opened, saved so that they open at once and without a network.
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import type { WorkspacePage } from '../../../shared/workspace-live.ts'
import type { FetchedPage } from '../viewer-requests.ts'
import { isWritingStopped, readEntries, readEntry, updateEntry, writeEntry } from './database.ts'
import { COPY_IN_TAB, saveInTab, takeFromTab } from './tab-storage.ts'
import { saveTopCards } from './top-cards.ts'

/** The encoded document, its first cards, and when the server last confirmed them (ms). */
export type DocumentCopy = { state?: Uint8Array; saved_at: number; first?: FirstCards }
export type SeenChannel = { view: ChannelView; seen_at: number }
export type WorkspaceCopy = { page: WorkspacePage; saved_at: number }

export const readDocument = (channelId: string) => readEntry<DocumentCopy>(`document:${channelId}`)

export async function writeDocument(channelId: string, copy: DocumentCopy): Promise<void> {
  const written = await writeEntry(`document:${channelId}`, copy)
  if (written && copy.first && !isWritingStopped()) saveTopCards(channelId, copy.first)
}

export const readPage = (channelId: string, page: number) =>
  readEntry<FetchedPage>(`page:${channelId}:${page}`)
export const writePage = (channelId: string, page: FetchedPage) =>
  writeEntry(`page:${channelId}:${page.page}`, page)

export const readView = (channelId: string) => readEntry<SeenChannel>(`view:${channelId}`)

export const writeView = (view: ChannelView) =>
  writeEntry(`view:${view.channel.id}`, { view, seen_at: Date.now() } satisfies SeenChannel)

export async function readSeenChannels(): Promise<SeenChannel[]> {
  const seen = await readEntries<SeenChannel>('view:')
  return [...seen.values()].sort((a, b) => b.seen_at - a.seen_at)
}

/** Whether the viewer acts by name in the channel; undefined until they choose. */
export async function readByName(channelId: string): Promise<boolean | undefined> {
  const key = `by-name:${channelId}`
  const last = takeFromTab<boolean>(COPY_IN_TAB + key)
  if (last !== undefined) await writeEntry(key, last)
  return last ?? readEntry<boolean>(key)
}

/** A page that is left at once keeps the choice too. */
export async function writeByName(channelId: string, byName: boolean): Promise<void> {
  const key = `by-name:${channelId}`
  if (isWritingStopped()) return
  saveInTab(COPY_IN_TAB + key, byName)
  if (await writeEntry(key, byName)) takeFromTab(COPY_IN_TAB + key)
}

export const readWorkspace = (slug: string) => readEntry<WorkspaceCopy>(`workspace:${slug}`)
export const writeWorkspace = (slug: string, copy: WorkspaceCopy) => writeEntry(`workspace:${slug}`, copy)

/** By channel id, the position up to which the channel was read. */
type Marks = Record<string, number>
const LAST_MARKS = `${COPY_IN_TAB}read`

/** Includes the marks that were saved in the tab while the last page unloaded. */
export async function readMarks(): Promise<Marks> {
  const last = takeFromTab<Marks>(LAST_MARKS) ?? {}
  await Promise.all(Object.entries(last).map(([channelId, position]) => writeMark(channelId, position)))
  const marks = await readEntries<number>('read:')
  return Object.fromEntries([...marks].map(([key, position]) => [key.slice('read:'.length), position]))
}

/** A higher position of another tab stays. */
export const writeMark = (channelId: string, position: number) =>
  updateEntry<number>(`read:${channelId}`, saved => Math.max(saved ?? position, position))

export function writeLastMarks(marks: Marks): void {
  if (!isWritingStopped()) saveInTab(LAST_MARKS, marks)
}

/** By id, when the command palette last opened the item (ms). */
export const readJumps = () => readEntry<Record<string, number>>('jumps')
export const writeJumps = (jumps: Record<string, number>) => writeEntry('jumps', jumps)
