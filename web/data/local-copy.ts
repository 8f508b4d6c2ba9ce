// What the browser keeps of channels and workspaces that were seen, so that they open at once and without a network.
// Nobody finds here what they may not see: `dropChannel` and `dropWorkspace` on a refusal, `wipe` at sign-out,
// `dropOwned` where a session has ended.
import { clear, delMany, get, keys, promisifyRequest, set, type UseStore, update } from 'idb-keyval'
import type { Visibility } from '../../shared/channel.ts'
import type { ChannelView } from '../../shared/channel-view.ts'
import type { FirstCards } from '../../shared/first-cards.ts'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import { applyChanges, type BlockChange, type ByBlock } from '../lib/by-block.ts'
import { dropFirst, takeFirst } from './channel/first-read.ts'
import { dropLastLook, keepLastLook } from './channel/last-look.ts'
import type { FetchedPage } from './client.ts'
import { dropLastDrafts, keepLastDrafts, takeLastDrafts } from './drafts/last-drafts.ts'
import { dropActs } from './outbox/interaction-store.ts'
import { createPatientStore } from './patient-store.ts'

/** The document's state, whole, its first cards, and when they were last known to be the server's (ms). */
export type DocumentCopy = { state?: Uint8Array; saved_at: number; first?: FirstCards }
export type SeenChannel = { view: ChannelView; seen_at: number }
export type WorkspaceCopy = { page: WorkspacePage; saved_at: number }
export type DraftValue = string | boolean | string[] | null
export type Drafts = ByBlock<DraftValue>
export type DraftChange = BlockChange<DraftValue>
/** A draft that was sent. `base`: the card's own value at that time, as JSON. */
export type Handed = { interaction_id: string; base: string }

type Kind = 'document' | 'view' | 'page' | 'drafts' | 'handed' | 'read' | 'by-name'

const COMPOSED = 'composed-card'

const keyOf = (kind: Kind, channelId: string) => `${kind}:${channelId}`
/** By the slug it was opened with. */
const workspaceKey = (slug: string) => `workspace:${slug}`
const pageKey = (channelId: string, page: number) => `${keyOf('page', channelId)}:${page}`

export const readDocument = (channelId: string) => read<DocumentCopy>(keyOf('document', channelId))
export const readView = (channelId: string) => read<SeenChannel>(keyOf('view', channelId))
export const readPage = (channelId: string, page: number) => read<FetchedPage>(pageKey(channelId, page))

export const writePage = (channelId: string, page: FetchedPage) => write(pageKey(channelId, page.page), page)
export const readHandedOver = (channelId: string) => read<ByBlock<Handed>>(keyOf('handed', channelId))
export const writeHandedOver = (channelId: string, changes: BlockChange<Handed>[]) =>
  change(keyOf('handed', channelId), changes)
export const writeDrafts = (channelId: string, changes: DraftChange[]) =>
  change(keyOf('drafts', channelId), changes)

export async function writeDocument(channelId: string, copy: DocumentCopy): Promise<void> {
  if (wiped) return
  const kept = await attempt(async store => {
    await set(keyOf('document', channelId), copy, store)
    return true
  })
  if (kept && copy.first && !wiped) keepLastLook(channelId, copy.first)
}

/** What `keepLastDrafts` kept is newer, and moves to the others. */
export async function readDrafts(channelId: string): Promise<Drafts | undefined> {
  const last = takeLastDrafts<DraftChange[]>(channelId)
  const kept = await read<Drafts>(keyOf('drafts', channelId))
  if (!last) return kept
  await writeDrafts(channelId, last)
  return applyChanges(kept ?? {}, last)
}

/** The card that is being composed, in this tab before any other; `T` is the card builder's to know. */
export async function readComposed<T extends object>(): Promise<T | undefined> {
  const last = takeLastDrafts<T>(COMPOSED)
  if (last) await writeComposed(last)
  return last ?? read<T>(COMPOSED)
}

export const writeComposed = (composed: object) => write(COMPOSED, composed)

/** At once, and for this tab: another may compose another card meanwhile. */
export function writeLastComposed(composed: object): void {
  if (!wiped) keepLastDrafts(COMPOSED, composed)
}

export function writeView(view: ChannelView): Promise<void> {
  const seen: SeenChannel = { view, seen_at: Date.now() }
  return write(keyOf('view', view.channel.id), seen)
}

/** Whether the person at this device acts by name in the channel. */
export const readByName = (channelId: string) => read<boolean>(keyOf('by-name', channelId))
export const writeByName = (channelId: string, byName: boolean) => write(keyOf('by-name', channelId), byName)

/** The channels that open without a network, the last seen first. */
export async function readSeenChannels(): Promise<SeenChannel[]> {
  const seen = await readAll<SeenChannel>('view:')
  return [...seen.values()].sort((a, b) => b.seen_at - a.seen_at)
}

export const readWorkspace = (slug: string) => read<WorkspaceCopy>(workspaceKey(slug))
export const writeWorkspace = (slug: string, copy: WorkspaceCopy) => write(workspaceKey(slug), copy)

/** By channel id, the position up to which it was read. */
export async function readMarks(): Promise<Record<string, number>> {
  const marks = await readAll<number>('read:')
  return Object.fromEntries([...marks].map(([key, position]) => [key.slice('read:'.length), position]))
}

/** Another tab may have got further. */
export async function writeMark(channelId: string, position: number): Promise<void> {
  if (wiped) return
  const further = (kept: number | undefined) => Math.max(kept ?? position, position)
  await attempt(store => update<number>(keyOf('read', channelId), further, store))
}

/** What was last jumped to, by id: when (ms). */
export const readJumps = () => read<Record<string, number>>('jumps')
export const writeJumps = (jumps: Record<string, number>) => write('jumps', jumps)

/** Forgets a channel that is gone. Whoever writes its copy must have stopped before. */
export async function dropChannel(channelId: string): Promise<void> {
  await dropEntries([channelId])
  for (const [key, { page, saved_at }] of await readAll<WorkspaceCopy>('workspace:')) {
    const channels = page.channels.filter(({ id }) => id !== channelId)
    if (channels.length < page.channels.length) await write(key, { page: { ...page, channels }, saved_at })
  }
}

/** Forgets a channel that may not be seen any more, and every list with its name. */
export async function dropForbidden(channelId: string): Promise<void> {
  await dropEntries([channelId])
  await dropLists(page => page.channels.some(({ id }) => id === channelId))
}

/** Forgets a workspace with all its channels. */
export function dropWorkspace(workspaceId: string): Promise<void> {
  return dropAll(
    ({ workspace }) => workspace.id === workspaceId,
    ({ channel }) => channel.workspace_id === workspaceId,
  )
}

/**
 * Nobody is signed in any more: forgets what only an owner sees without a password. Acts that wait, wait for whoever
 * signs in again.
 */
export function dropOwned(): Promise<void> {
  const isOwned = (visibility: Visibility, can_edit: boolean) =>
    visibility === 'private' || (visibility === 'protected' && can_edit)
  return dropAll(
    ({ workspace, can_edit }) => isOwned(workspace.visibility, can_edit),
    ({ channel, can_edit }) => isOwned(channel.visibility, can_edit),
  )
}

/** The lists that are meant, all channels in them, and the channels that are meant. */
async function dropAll(
  isList: (page: WorkspacePage) => boolean,
  isChannel: (view: ChannelView) => boolean,
): Promise<void> {
  const listed = await dropLists(isList)
  const seen = [...(await readAll<SeenChannel>('view:')).values()].map(({ view }) => view).filter(isChannel)
  await dropEntries(
    [...listed.flatMap(page => page.channels), ...seen.map(view => view.channel)].map(({ id }) => id),
  )
}

/** Forgets the page of a slug that names nothing any more. */
export async function dropSlug(slug: string): Promise<void> {
  await attempt(store => delMany([workspaceKey(slug)], store))
}

async function dropEntries(channelIds: string[]): Promise<void> {
  const dropped = new Set(channelIds)
  await attempt(async store => {
    const all = await keys<string>(store)
    await delMany(
      all.filter(key => !key.startsWith('workspace:') && dropped.has(key.split(':')[1] ?? '')),
      store,
    )
  })
  dropLastLook(dropped)
}

/** The pages that were dropped. */
async function dropLists(isDropped: (page: WorkspacePage) => boolean): Promise<WorkspacePage[]> {
  const lists = [...(await readAll<WorkspaceCopy>('workspace:'))].filter(([, { page }]) => isDropped(page))
  await attempt(store =>
    delMany(
      lists.map(([key]) => key),
      store,
    ),
  )
  return lists.map(([, { page }]) => page)
}

/** Forgets the document and its pages, and keeps what the viewer wrote: the server's timeline was lost. */
export async function dropTimeline(channelId: string): Promise<void> {
  await attempt(async store => {
    const all = await keys<string>(store)
    const document = keyOf('document', channelId)
    const pages = `${keyOf('page', channelId)}:`
    await delMany(
      all.filter(key => key === document || key.startsWith(pages)),
      store,
    )
  })
  dropLastLook(new Set([channelId]))
}

let wiped = false
const tabs = new BroadcastChannel('channel-feed')
tabs.onmessage = () => {
  wiped = true
  dropLastDrafts()
  // This tab may have kept it since the other dropped it.
  dropLastLook()
  location.assign('/')
}

/** Forgets everything, in every tab. The page must be loaded anew afterwards: nothing is kept until then. */
export async function wipe(): Promise<void> {
  wiped = true
  dropLastDrafts()
  dropLastLook()
  tabs.postMessage('wiped')
  await Promise.all([attempt(store => clear(store)), dropActs()])
}

/** Says who is signed in. What another user left behind, whose session just ended, is forgotten. */
export async function claim(userId: string): Promise<void> {
  const owner = await read<string>('owner')
  if (owner === userId) return
  if (owner !== undefined) {
    dropLastDrafts()
    dropFirst()
    await Promise.all([attempt(store => clear(store)), dropActs()])
    dropLastLook()
  }
  await write('owner', userId)
}

let opened: UseStore | undefined

/** Where IndexedDB cannot be used (private windows, a full disk, no answer) the app works on, and keeps nothing. */
async function attempt<T>(work: (store: UseStore) => Promise<T>): Promise<T | undefined> {
  try {
    opened ??= createPatientStore('channel-feed', 'local')
    return await work(opened)
  } catch (error) {
    console.warn('The local copy is not available', error)
    return undefined
  }
}

async function read<T>(key: string): Promise<T | undefined> {
  const first = await takeFirst<T>(key)
  return first ? first.value : attempt(store => get<T>(key, store))
}

/** What is kept under keys that begin so. */
async function readAll<T>(prefix: string): Promise<Map<string, T>> {
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
  const found = await attempt(use =>
    use('readonly', store =>
      Promise.all([promisifyRequest(store.getAllKeys(range)), promisifyRequest<T[]>(store.getAll(range))]),
    ),
  )
  const [found_keys, values] = found ?? [[], []]
  return new Map(values.map((value, i) => [String(found_keys[i]), value]))
}

async function change<T>(key: string, changes: BlockChange<T>[]): Promise<void> {
  if (wiped) return
  await attempt(store => update<ByBlock<T>>(key, kept => applyChanges(kept ?? {}, changes), store))
}

async function write(key: string, value: unknown): Promise<void> {
  if (!wiped) await attempt(store => set(key, value, store))
}
