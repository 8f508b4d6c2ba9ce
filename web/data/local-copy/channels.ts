// Channels and workspaces that this browser has opened, saved so that they open at once and without a network.
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import type { ViewedWorkspace } from '../../../shared/workspace-live.ts'
import type { FetchedPage } from '../viewer-requests.ts'
import { inTime, isWritingStopped, readEntries, readEntry, updateEntry, writeEntry } from './database.ts'
import { COPY_IN_TAB, handOver, saveInTab, takeFromTab } from './tab-storage.ts'
import { saveTopCards } from './top-cards.ts'

/** The encoded document, its first cards, and when the server last confirmed them (ms). */
export type DocumentCopy = { state?: Uint8Array; saved_at: number; first?: FirstCards }
const CONFIRMED = `${COPY_IN_TAB}confirmed `

/** `seen_at`: the last visit (ms), or `NEVER`. */
export type SeenChannel = { view: ChannelView; seen_at: number }
export const NEVER = 0
export type WorkspaceCopy = { page: ViewedWorkspace; saved_at: number }

export const readDocument = (channelId: string) => readCopy<DocumentCopy>(`document:${channelId}`)

/** `savedAt`: when the server last confirmed the copy that is saved (ms). It may be later than the last write. */
export const confirmDocument = (channelId: string, savedAt: () => number | undefined) =>
  handOver(`${CONFIRMED}document:${channelId}`, savedAt)

async function readCopy<T extends { saved_at: number }>(key: string): Promise<T | undefined> {
  const confirmed_at = takeFromTab<number>(CONFIRMED + key) ?? 0
  const copy = await readEntry<T>(key)
  return copy && { ...copy, saved_at: Math.max(copy.saved_at, confirmed_at) }
}

export async function writeDocument(channelId: string, copy: DocumentCopy): Promise<void> {
  const written = await writeEntry(`document:${channelId}`, copy)
  if (written && copy.first && !isWritingStopped()) saveTopCards(channelId, copy.first)
}

export const readPageCopy = (channelId: string, page: number) =>
  inTime(readEntry<FetchedPage>(`page:${channelId}:${page}`))
export const writePage = (channelId: string, page: FetchedPage) =>
  writeEntry(`page:${channelId}:${page.page}`, page)

export const readView = (channelId: string) => readEntry<SeenChannel>(`view:${channelId}`)

/** `isVisit`: the person opened the channel. A preview leaves the time of the last visit as it is. */
export function writeView(view: ChannelView, isVisit: boolean): Promise<boolean> {
  const key = `view:${view.channel.id}`
  if (isVisit) return writeEntry(key, { view, seen_at: Date.now() } satisfies SeenChannel)
  return updateEntry<SeenChannel>(key, saved => ({ view, seen_at: saved?.seen_at ?? NEVER }))
}

export async function readSeenChannels(): Promise<SeenChannel[]> {
  const seen = await inTime(readEntries<SeenChannel>('view:'))
  return [...(seen?.values() ?? [])].sort((a, b) => b.seen_at - a.seen_at)
}

/** Whether the viewer acts by name in the channel; undefined until they choose. */
export async function readByName(channelId: string): Promise<boolean | undefined> {
  const key = `by-name:${channelId}`
  const last = takeFromTab<boolean>(COPY_IN_TAB + key)
  if (last === undefined) return readEntry<boolean>(key)
  writeByName(channelId, last)
  return last
}

/** A page that is left at once keeps the choice too. */
export async function writeByName(channelId: string, byName: boolean): Promise<void> {
  const key = `by-name:${channelId}`
  if (isWritingStopped()) return
  saveInTab(COPY_IN_TAB + key, byName)
  if (await writeEntry(key, byName)) takeFromTab(COPY_IN_TAB + key)
}

/** The time of the newest reply that this device has shown to those who run the channel. */
export const readRepliesSeen = (channelId: string) => inTime(readEntry<string>(`replies-seen:${channelId}`))
export const writeRepliesSeen = (channelId: string, time: string) =>
  writeEntry(`replies-seen:${channelId}`, time)

export const readWorkspace = (slug: string) => inTime(readCopy<WorkspaceCopy>(`workspace:${slug}`))
export const confirmWorkspace = (slug: string, savedAt: () => number | undefined) =>
  handOver(`${CONFIRMED}workspace:${slug}`, savedAt)
export const writeWorkspace = (slug: string, copy: WorkspaceCopy) => writeEntry(`workspace:${slug}`, copy)

/** By channel id, the position up to which the channel was read. */
type Marks = Record<string, number>
const LAST_MARKS = `${COPY_IN_TAB}read`

/** The marks that the tab's last page couldn't save. */
export const takeMarks = () => takeFromTab<Marks>(LAST_MARKS) ?? {}
export const handOverMarks = (unsaved: () => Marks | undefined) =>
  handOver(LAST_MARKS, () => (isWritingStopped() ? undefined : unsaved()))

export async function readMarks(): Promise<Marks> {
  const marks = await readEntries<number>('read:')
  return Object.fromEntries([...marks].map(([key, position]) => [key.slice('read:'.length), position]))
}

/** A higher position of another tab stays. */
export const writeMark = (channelId: string, position: number) =>
  updateEntry<number>(`read:${channelId}`, saved => Math.max(saved ?? position, position))

/** By id, when the command palette last opened the item (ms). */
export const readJumps = () => inTime(readEntry<Record<string, number>>('jumps'))
export const writeJumps = (jumps: Record<string, number>) => writeEntry('jumps', jumps)
