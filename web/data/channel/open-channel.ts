// Shows a channel before its live document is there: from the local copy, or on a first visit from the server.
import { ChannelFeedError } from '../../../client/errors.ts'
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import { painted } from '../../lib/painted.ts'
import { patience } from '../../lib/patience.ts'
import { type DocumentCopy, readDocument, readView, writeDocument } from '../local-copy/channels.ts'
import { inTime } from '../local-copy/database.ts'
import { readTopCards } from '../local-copy/top-cards.ts'
import { fetchDocument, fetchFirstCards } from '../viewer-requests.ts'
import type { FeedStore } from './feed-store.ts'
import type { KnownState } from './live-document.ts'

/** If the server takes longer, the cards come over the socket instead. */
const TIMEOUT_MS = 4_000
/** If the local copy takes longer, the server is asked too. */
const HEAD_START_MS = 300

type OpenTarget = {
  channel_id: string
  draftsRestored: Promise<void>
  store: FeedStore
  onSavedView: (view: ChannelView) => void
  /** The cards are those that the server had at this time (ms). */
  onKnownAt: (at: number) => void
  preload: () => void
  isStopped: () => boolean
}

/** Returns the state that the live document starts from, or undefined if the feed was stopped meanwhile. */
export async function openChannel(target: OpenTarget): Promise<KnownState | undefined> {
  const saved = readSaved(target)
  const top = readTopCards(target.channel_id)
  if (top) await show(target.store, top)
  const copy = await Promise.race([saved, patience(HEAD_START_MS)])
  if (target.isStopped()) return
  if (copy) return openCopy(target, copy)
  const first = ignoreErrors(fetchFirstCards(target.channel_id))
  return copy === null ? openFirstTime(target, first) : openEither(target, saved, first)
}

/** Resolves to null if nothing is saved. */
async function readSaved(target: OpenTarget): Promise<DocumentCopy | null> {
  const { channel_id, draftsRestored } = target
  const [copy, seen] = await Promise.all([readDocument(channel_id), readView(channel_id), draftsRestored])
  if (seen && !target.isStopped()) target.onSavedView(seen.view)
  return copy ?? null
}

async function openCopy(target: OpenTarget, copy: DocumentCopy): Promise<KnownState> {
  target.onKnownAt(copy.saved_at)
  if (copy.first) await show(target.store, copy.first)
  return { state: copy.state, fetchedAt: 0 }
}

/** The local copy is late. What comes first is shown: the copy, or the server's cards. */
async function openEither(
  target: OpenTarget,
  saved: Promise<DocumentCopy | null>,
  first: Promise<FirstCards | undefined>,
): Promise<KnownState | undefined> {
  const fromServer = first.then(cards => (cards ? null : inTime(saved)))
  const copy = await Promise.race([saved, fromServer])
  if (target.isStopped()) return
  if (copy) return openCopy(target, copy)
  // The page opens without the copy. If it still comes, it is better than nothing.
  saved.then(late => {
    const isNeeded = late?.first && !target.isStopped() && target.store.state.head === null
    if (isNeeded) openCopy(target, late)
  })
  return openFirstTime(target, first)
}

async function openFirstTime(
  target: OpenTarget,
  firstCards: Promise<FirstCards | undefined>,
): Promise<KnownState | undefined> {
  const { channel_id } = target
  const first = await firstCards
  if (target.isStopped()) return
  if (!first) return { fetchedAt: 0 }
  target.onKnownAt(Date.now())
  // If the visit ends here, the next one has at least these cards.
  writeDocument(channel_id, { first, saved_at: Date.now() })
  const document = ignoreErrors(fetchDocument(channel_id))
  target.preload()
  await show(target.store, first)
  const state = (await document)?.update
  if (target.isStopped()) return
  const fetchedAt = state ? Date.now() : 0
  if (state) target.onKnownAt(fetchedAt)
  return { state, fetchedAt }
}

function show(store: FeedStore, first: FirstCards): Promise<void> {
  store.setFirstCards(first)
  return painted()
}

/** The sync that follows reports access errors. */
async function ignoreErrors<T>(request: Promise<T>): Promise<T | undefined> {
  const response = request.catch(error => {
    if (error instanceof ChannelFeedError) return undefined
    throw error
  })
  return Promise.race([response, patience(TIMEOUT_MS)])
}
