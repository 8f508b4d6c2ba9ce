// An open channel: its first cards at once, then all of it live, and its local copy dropped when access is lost.
import { createEffect, createMemo, createSignal, onCleanup } from 'solid-js'
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { Link, Refusal } from '../../lib/reconnect.ts'
import { createRequiredContext } from '../../lib/required-context.ts'
import { createDrafts } from '../drafts/drafts.ts'
import { readByName, writeByName, writeView } from '../local-copy/channels.ts'
import { dropChannel, dropForbidden, dropStaleDocument } from '../local-copy/drop.ts'
import { type Archive, createArchive } from './archive.ts'
import { createFeedStore } from './feed-store.ts'
import type { KnownState, LiveDocumentTarget } from './live-document.ts'
import { makeLoader } from './load-live-document.ts'
import { openChannel } from './open-channel.ts'

export type ChannelFeed = ReturnType<typeof createChannelFeed>

/** The open channel's feed, for the components below. */
export const [FeedContext, useFeed] = createRequiredContext<ChannelFeed>('FeedContext')

/** `touched` lists an hour of changes. After an absence near that, visible archived pages are read again. */
const LONG_ABSENCE_MS = 50 * 60_000

export function createChannelFeed(channelId: string) {
  let stopped = false
  const isStopped = () => stopped
  const store = createFeedStore()
  const archive = createArchive(channelId, store, isStopped)
  const drafts = createDrafts(channelId)
  const [scrolled, setScrolled] = createSignal(false)
  const { view, setView, saveView, byName, setByName } = createChannelView(channelId)
  let stopDocument = () => {}
  const { link, setLink, onLink, lastUpdatedAt, setKnownAt } = createLink(archive)
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
    onView: setView,
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
    archive,
    drafts,
    link,
    view,
    lastUpdatedAt,
    /** Whether the reader is further down. Pages that leave the live document then stay on the screen. */
    scrolled,
    setScrolled,
    byName,
    setByName,
    stopWithoutSaving,
  }
}

function createLink(archive: Archive) {
  const [link, setLink] = createSignal<Link>({ state: 'connecting' })
  const [lastUpdatedAt, setKnownAt] = createSignal<number>()

  function onLink(next: Link, lastMessageAt: number): void {
    if (next.state === 'live') {
      archive.onLive(Date.now() - (lastUpdatedAt() ?? 0) > LONG_ABSENCE_MS)
      setKnownAt(Date.now())
    } else if (link().state === 'live') setKnownAt(lastMessageAt)
    setLink(next)
  }

  return { link, setLink, onLink, lastUpdatedAt, setKnownAt }
}

function createChannelView(channelId: string) {
  const [view, setView] = createSignal<ChannelView>()
  const [byName, setByNameSignal] = createSignal(false)
  const hasChoice = createMemo(() => view()?.you?.kind === 'user')
  createEffect(() => {
    if (hasChoice()) readByName(channelId).then(saved => saved !== undefined && setByNameSignal(saved))
  })

  function saveView(next: ChannelView): void {
    setView(next)
    writeView(next)
  }

  function setByName(next: boolean): void {
    setByNameSignal(next)
    writeByName(channelId, next)
  }

  return { view, setView, saveView, byName, setByName }
}
