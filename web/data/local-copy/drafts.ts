// Saved drafts: values typed into cards, drafts that were sent with an interaction, and the card in the card builder.
import type { BlockValues, ValueChange } from '../drafts/block-values.ts'
import { inTime, isWritingStopped, readEntry, updateBlockValues, writeEntry } from './database.ts'
import { COPY_IN_TAB, handOver, takeFromTab } from './tab-storage.ts'

export type DraftValue = string | boolean | string[] | null
export type Drafts = BlockValues<DraftValue>
export type DraftChange = ValueChange<DraftValue>
/** A draft that was sent. `base`: the card's own value at that time, as JSON. */
export type SentDraft = { interaction_id: string; base: string }

const COMPOSED = 'composed-card'

export const readDrafts = (channelId: string) => readEntry<Drafts>(`drafts:${channelId}`)
export const writeDrafts = (channelId: string, changes: DraftChange[]) =>
  updateBlockValues(`drafts:${channelId}`, changes)

export const readSentDrafts = (channelId: string) => readEntry<BlockValues<SentDraft>>(`handed:${channelId}`)
export const writeSentDrafts = (channelId: string, changes: ValueChange<SentDraft>[]) =>
  updateBlockValues(`handed:${channelId}`, changes)

/** What a page couldn't save before it was left. */
type LastChanges = { drafts: DraftChange[]; sent: ValueChange<SentDraft>[] }
const lastOf = (channelId: string) => `${COPY_IN_TAB}of ${channelId}`

export const takeLastChanges = (channelId: string): LastChanges =>
  takeFromTab(lastOf(channelId)) ?? { drafts: [], sent: [] }

export const handOverChanges = (channelId: string, unsaved: () => LastChanges) =>
  handOver(lastOf(channelId), () => {
    const last = unsaved()
    return last.drafts.length + last.sent.length > 0 ? last : undefined
  })

/** The card in the card builder; this tab's card wins over another tab's. Only the card builder knows `T`. */
export async function readComposed<T extends object>(): Promise<T | undefined> {
  const last = takeFromTab<T>(COPY_IN_TAB + COMPOSED)
  if (last) writeComposed(last)
  return last ?? inTime(readEntry<T>(COMPOSED))
}

export const writeComposed = (composed: object) => writeEntry(COMPOSED, composed)

/** Only for this tab: another tab may compose another card. */
export const handOverComposed = (composed: () => object) =>
  handOver(COPY_IN_TAB + COMPOSED, () => (isWritingStopped() ? undefined : composed()))
