// An open channel: its first cards at once, then all of it live, and its local copy dropped when access is lost.
import { batch, createSignal, onCleanup } from 'solid-js'
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import { painted } from '../../lib/painted.ts'
import type { Link } from '../../lib/reconnect.ts'
import { createDrafts } from '../drafts/drafts.ts'
import { writeView } from '../local-copy/channels.ts'
import { dropChannel, dropForbidden, dropHistory } from '../local-copy/drop.ts'
import { createArchive } from './archive.ts'
import { createFeedStore } from './feed-store.ts'
import type { KnownState, LiveDocumentTarget } from './live-document.ts'
import { type LiveScripts, loadLiveScripts, reloadPage } from './load-live-document.ts'
import { createNameChoice } from './name-choice.ts'
import { openChannel } from './open-channel.ts'

export type ChannelFeed = ReturnType<typeof createChannelFeed>

/** `touched` lists an hour of changes. After an absence near that, visible archived pages are read again. */
const LONG_ABSENCE_MS = 50 * 60_000

export function createChannelFeed(channelId: string) {
  const store = createFeedStore()
  const archive = createArchive(channelId, store)
  const drafts = createDrafts(channelId)
  const [link, setLink] = createSignal<Link>({ state: 'connecting' })
  const [view, setView] = createSignal<ChannelView>()
  /** The cards on the screen are those that the server had at this time (ms). */
  const [knownAt, setKnownAt] = createSignal<number>()
  const [scrolled, setScrolled] = createSignal(false)
  const { byName, setByName } = createNameChoice(channelId, view)
  let scripts: Promise<LiveScripts | undefined> | undefined
  let stopDocument = () => {}
  let stopped = false

  const target: LiveDocumentTarget = {
    channel_id: channelId,
    store,
    onLink,
    onView: next => {
      setView(next)
      writeView(next)
    },
    onLostHistory,
    onArchived: page => (scrolled() ? archive.adopt(page) : store.removePage(page)),
    onCardDeleted: drafts.dropCard,
    onChannel: archive.follow,
  }

  onCleanup(stop)
  openChannel({
    channel_id: channelId,
    draftsRestored: drafts.restored,
    show,
    onView: setView,
    onKnownAt: setKnownAt,
    preload: loadScripts,
    isStopped: () => stopped,
  }).then(known => known && follow(known))

  async function show({ head, pages }: FirstCards): Promise<void> {
    batch(() => {
      store.setHead(head)
      for (const { page, cards } of pages) store.setPage(page, cards)
    })
    await painted()
  }

  async function follow(known: KnownState, failures = 0): Promise<void> {
    const loaded = await loadScripts()
    if (loaded && !stopped) stopDocument = loaded.makeLiveDocument(target, known, failures)
  }

  /** Resolves to undefined if they failed to load. */
  function loadScripts(): Promise<LiveScripts | undefined> {
    scripts ??= loadLiveScripts().catch(() => {
      setLink({ state: 'offline' })
      reloadPage(channelId, () => stopped)
      return undefined
    })
    return scripts
  }

  function onLink(next: Link, lastMessageAt: number): void {
    if (next.state === 'refused') return onRefused(next)
    if (next.state === 'live') {
      archive.onLive(Date.now() - (knownAt() ?? 0) > LONG_ABSENCE_MS)
      setKnownAt(Date.now())
    } else if (link().state === 'live') setKnownAt(lastMessageAt)
    setLink(next)
  }

  async function onLostHistory(failures: number): Promise<void> {
    stopDocument()
    await dropHistory(channelId)
    if (stopped) return
    archive.clear()
    await follow({ fetchedAt: 0 }, failures)
  }

  function onRefused(next: Extract<Link, { state: 'refused' }>): void {
    stopWithoutSaving()
    setView(undefined)
    setLink(next)
    if (next.refusal === 'missing') dropChannel(channelId)
    else dropForbidden(channelId)
  }

  /** The local copy is about to be dropped. */
  function stopWithoutSaving(): void {
    drafts.discardUnsaved()
    stop()
  }

  function stop(): void {
    if (stopped) return
    stopped = true
    stopDocument()
    archive.stop()
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
    knownAt,
    /** Whether the reader is further down. Pages that leave the live document then stay on the screen. */
    scrolled,
    setScrolled,
    byName,
    setByName,
    stopWithoutSaving,
  }
}
