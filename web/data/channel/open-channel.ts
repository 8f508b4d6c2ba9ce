// Shows a channel before its live document is there: from the local copy, or on a first visit from the server.
import { ChannelFeedError } from '../../../client/errors.ts'
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import { painted } from '../../lib/painted.ts'
import { patience } from '../../lib/patience.ts'
import { readDocument, readView, writeDocument } from '../local-copy/channels.ts'
import { readTopCards } from '../local-copy/top-cards.ts'
import { fetchDocument, fetchFirstCards } from '../viewer-requests.ts'
import type { FeedStore } from './feed-store.ts'
import type { KnownState } from './live-document.ts'

/** If the server takes longer, the cards come over the socket instead. */
const TIMEOUT_MS = 4_000

type OpenTarget = {
  channel_id: string
  draftsRestored: Promise<void>
  store: FeedStore
  onView: (view: ChannelView) => void
  /** The cards are those that the server had at this time (ms). */
  onKnownAt: (at: number) => void
  preload: () => void
  isStopped: () => boolean
}

/** Returns the state that the live document starts from, or undefined if the feed was stopped meanwhile. */
export async function openChannel(target: OpenTarget): Promise<KnownState | undefined> {
  const { channel_id } = target
  const saved = Promise.all([readDocument(channel_id), readView(channel_id), target.draftsRestored])
  const top = readTopCards(channel_id)
  if (top) await show(target.store, top)
  const [copy, seen] = await saved
  if (target.isStopped()) return
  if (seen) target.onView(seen.view)
  if (!copy) return openFirstTime(target)
  target.onKnownAt(copy.saved_at)
  if (copy.first) await show(target.store, copy.first)
  return { state: copy.state, fetchedAt: 0 }
}

async function openFirstTime(target: OpenTarget): Promise<KnownState | undefined> {
  const { channel_id } = target
  const first = await ignoreErrors(fetchFirstCards(channel_id))
  if (target.isStopped()) return
  if (!first) return { fetchedAt: 0 }
  target.onKnownAt(Date.now())
  // If the visit ends here, the next one has at least these cards.
  writeDocument(channel_id, { first, saved_at: Date.now() })
  const document = ignoreErrors(fetchDocument(channel_id))
  target.preload()
  await show(target.store, first)
  const state = await document
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
