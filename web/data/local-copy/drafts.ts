// Saved drafts: values typed into cards, drafts that were sent with an interaction, and the card in the card builder.
import { applyChanges, type BlockChange, type BlockValues } from '../drafts/block-values.ts'
import { isWritingStopped, readEntry, updateBlockValues, writeEntry } from './database.ts'
import { COPY_IN_TAB, saveInTab, takeFromTab } from './tab-storage.ts'

export type DraftValue = string | boolean | string[] | null
export type Drafts = BlockValues<DraftValue>
export type DraftChange = BlockChange<DraftValue>
/** A draft that was sent. `base`: the card's own value at that time, as JSON. */
export type SentDraft = { interaction_id: string; base: string }

const COMPOSED = 'composed-card'

/** Includes the changes that were saved in the tab while the last page unloaded. */
export async function readDrafts(channelId: string): Promise<Drafts | undefined> {
  const last = takeFromTab<DraftChange[]>(COPY_IN_TAB + channelId)
  const saved = await readEntry<Drafts>(`drafts:${channelId}`)
  if (!last) return saved
  await writeDrafts(channelId, last)
  return applyChanges(saved ?? {}, last)
}

export const writeDrafts = (channelId: string, changes: DraftChange[]) =>
  updateBlockValues(`drafts:${channelId}`, changes)

export const writeLastDrafts = (channelId: string, changes: DraftChange[]) =>
  saveInTab(COPY_IN_TAB + channelId, changes)

export const readSentDrafts = (channelId: string) => readEntry<BlockValues<SentDraft>>(`handed:${channelId}`)
export const writeSentDrafts = (channelId: string, changes: BlockChange<SentDraft>[]) =>
  updateBlockValues(`handed:${channelId}`, changes)

/** The card in the card builder; this tab's card wins over another tab's. Only the card builder knows `T`. */
export async function readComposed<T extends object>(): Promise<T | undefined> {
  const last = takeFromTab<T>(COPY_IN_TAB + COMPOSED)
  if (last) await writeComposed(last)
  return last ?? readEntry<T>(COMPOSED)
}

export const writeComposed = (composed: object) => writeEntry(COMPOSED, composed)

/** Saves at once, and only for this tab: another tab may compose another card. */
export function writeLastComposed(composed: object): void {
  if (!isWritingStopped()) saveInTab(COPY_IN_TAB + COMPOSED, composed)
}
