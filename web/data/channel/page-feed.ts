// An open channel: its first cards at once, then all of it live, and its local copy dropped when access is lost.
import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { ChannelFeedError } from '../../../client/errors.ts'
import type { ChannelView } from '../../../shared/channel-view.ts'
import { painted } from '../../lib/painted.ts'
import { isUpToDate, type Link, type Refusal } from '../../lib/reconnect.ts'
import { createRequiredContext } from '../../lib/required-context.ts'
import { createDrafts } from '../drafts/drafts.ts'
import { readByName, writeByName, writeView } from '../local-copy/channels.ts'
import { dropChannel, dropForbidden, dropStaleDocument } from '../local-copy/drop.ts'
import { useSession } from '../session.tsx'
import { GUEST, type Viewer } from '../viewer.ts'
import { fetchView } from '../viewer-requests.ts'
import { type Archive, createArchive } from './archive.ts'
import { createFeedStore } from './feed-store.ts'
import type { KnownState, LiveDocumentTarget } from './live-document.ts'
import { makeLoader } from './load-live-document.ts'
import { openChannel } from './open-channel.ts'

export type PageFeed = ReturnType<typeof createPageFeed>

/** The open channel's feed, for the components below. */
export const [FeedContext, useFeed] = createRequiredContext<PageFeed>('FeedContext')

/** `touched` lists an hour of changes. After an absence near that, visible archived pages are read again. */
const LONG_ABSENCE_MS = 50 * 60_000

/** `isVisit`: false for a preview, which doesn't count as the person having been there. */
export function createPageFeed(channelId: string, isVisit = true) {
  let stopped = false
  const isStopped = () => stopped
  const store = createFeedStore()
  const archive = createArchive(channelId, store, isStopped)
  const drafts = createDrafts(channelId)
  const [scrolled, setScrolled] = createSignal(false)
  const { setView, saveView, ...viewed } = createChannelView(channelId, isVisit)
  let stopDocument = () => {}
  const { link, setLink, onLink, lastUpdatedAt, setKnownAt } = createLink(archive)
  const drawn = createDrawn(() => store.ids().length > 0 || link().state !== 'connecting')
  const loadScripts = makeLoader(channelId, () => setLink({ state: 'offline' }), isStopped)
  const target: LiveDocumentTarget = {
    channel_id: channelId,
    store,
    onLink,
    onRefused,
    onView: saveView,
    onLostHistory,
    onArchived: page => (scrolled() ? archive.adopt(page) : store.removePage(page)),
    onCardDeleted: drafts.discard,
    onChannel: archive.follow,
  }

  onCleanup(stop)
  openChannel({
    channel_id: channelId,
    draftsRestored: drafts.restored,
    store,
    onSavedView: saved => setView(view => view ?? saved),
    onKnownAt: setKnownAt,
    preload: loadScripts,
    isStopped,
  }).then(known => known && follow(known))

  async function follow(known: KnownState, failures = 0): Promise<void> {
    const loaded = await loadScripts()
    if (loaded && !stopped) stopDocument = loaded.makeLiveDocument(target, known, failures)
  }

  async function onLostHistory(failures: number): Promise<void> {
    stopDocument()
    await dropStaleDocument(channelId)
    if (stopped) return
    archive.clear()
    await follow({ fetchedAt: 0 }, failures)
  }

  function onRefused(refusal: Refusal): void {
    stopWithoutSaving()
    setView(undefined)
    setLink({ state: 'refused', refusal })
    if (refusal === 'missing') dropChannel(channelId)
    else dropForbidden(channelId)
  }

  function stopWithoutSaving(): void {
    drafts.discardUnsaved()
    stop()
  }

  function stop(): void {
    if (stopped) return
    stopped = true
    stopDocument()
    drafts.stop()
  }

  return {
    id: channelId,
    state: store.state,
    ids: store.ids,
    cardsApart: store.apart,
    archive,
    drafts,
    link,
    ...viewed,
    lastUpdatedAt,
    drawn,
    /** Whether the reader is further down. Pages that leave the live document then stay on the screen. */
    scrolled,
    setScrolled,
    stopWithoutSaving,
  }
}

function createLink(archive: Archive) {
  const [link, setLink] = createSignal<Link>({ state: 'connecting' })
  const [lastUpdatedAt, setKnownAt] = createSignal<number>()

  function onLink(next: Link, lastMessageAt: number): void {
    const knownAt = next.state === 'live' ? Date.now() : lastMessageAt
    if (isUpToDate(next)) archive.onLive(knownAt - (lastUpdatedAt() ?? 0) > LONG_ABSENCE_MS)
    if (isUpToDate(next) || link().state === 'live') setKnownAt(knownAt)
    setLink(next)
  }

  return { link, setLink, onLink, lastUpdatedAt, setKnownAt }
}

/**
 * Whether the first cards are on the screen, or none are expected: true after the frame in which `isReady` became true.
 * What the cards don't need loads and runs then.
 */
function createDrawn(isReady: () => boolean) {
  const [drawn, setDrawn] = createSignal(false)
  createEffect(on(createMemo(isReady), ready => ready && painted().then(() => setDrawn(true))))
  return drawn
}

function createChannelView(channelId: string, isVisit: boolean) {
  const [view, setView] = createSignal<ChannelView>()
  const { session } = useSession()
  const [choice, setChoice] = createSignal<boolean>()
  const refreshedFor = new Set<string>()
  const hasChoice = createMemo(() => (view()?.you?.kind ?? 'anonymous') !== 'anonymous')
  createEffect(() => {
    if (!hasChoice()) setChoice(undefined)
    else readByName(channelId).then(saved => setChoice(choice => choice ?? saved))
  })

  /** A saved view may be older than the end of the session. */
  function viewer(): Viewer | undefined {
    const known = view()
    return session().state === 'signed-out' ? GUEST : known?.you && known
  }

  /** Asks the server again what the viewer may do, once for each reason. */
  async function refreshView(reason: string): Promise<void> {
    if (refreshedFor.has(reason)) return
    refreshedFor.add(reason)
    try {
      saveView(await fetchView(channelId))
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      // The sync finds out whether access was lost.
    }
  }

  function saveView(next: ChannelView): void {
    setView(next)
    writeView(next, isVisit)
  }

  function setByName(next: boolean): void {
    setChoice(next)
    writeByName(channelId, next)
  }

  return {
    view,
    setView,
    saveView,
    viewer,
    refreshView,
    /** Whether the viewer chose to act by name here. Undefined without a choice: then their role decides. */
    byName: choice,
    setByName,
  }
}
