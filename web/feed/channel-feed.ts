// A channel as the page sees it: shown from the local copy at once, then kept live, and dropped when refused.
import { createSignal, onCleanup } from 'solid-js'
import * as Y from 'yjs'
import type { ChannelView } from '../api.ts'
import { createArchive } from './archive.ts'
import { makeBridge } from './bridge.ts'
import { makeDocumentKeeper } from './document-keeper.ts'
import { createDrafts } from './drafts.ts'
import { createFeedStore } from './feed-store.ts'
import { dropChannel, dropTimeline, readDocument, readView, writeView } from './local-copy.ts'
import { type Link, makeSync } from './sync.ts'

export type ChannelFeed = ReturnType<typeof createChannelFeed>

/** `touched` is emptied of what is older than an hour: an absence near to that reads shown pages again. */
const LONG_ABSENCE_MS = 50 * 60_000

export function createChannelFeed(channelId: string) {
  const store = createFeedStore()
  const archive = createArchive(channelId, store)
  const drafts = createDrafts(channelId)
  const [link, setLink] = createSignal<Link>({ state: 'connecting' })
  const [view, setView] = createSignal<ChannelView>()
  /** When the copy on the screen was last known to be the server's (ms); undefined while there is none. */
  const [knownAt, setKnownAt] = createSignal<number>()
  const [scrolled, setScrolled] = createSignal(false)
  let stopDocument = () => {}
  let stopped = false

  onCleanup(stop)
  open()

  async function open(): Promise<void> {
    const [copy, seen] = await Promise.all([readDocument(channelId), readView(channelId), drafts.restored])
    if (stopped) return
    if (seen) setView(seen.view)
    const doc = new Y.Doc()
    if (copy && seen) {
      Y.applyUpdate(doc, copy.state)
      setKnownAt(copy.saved_at)
    }
    follow(doc, 0)
  }

  function follow(doc: Y.Doc, failures: number): void {
    const stopBridge = makeBridge(doc, {
      channel_id: channelId,
      store,
      onArchived: page => (scrolled() ? archive.adopt(page) : store.removePage(page)),
      onCardGone: drafts.forgetCard,
      onChannel: archive.follow,
    })
    const sync = makeSync(
      {
        channel_id: channelId,
        doc,
        onLink: followLink,
        onView: next => {
          setView(next)
          writeView(next)
        },
        onLostTimeline: startOver,
      },
      failures,
    )
    const keeper = makeDocumentKeeper(doc, channelId, sync.heardAt)
    stopDocument = () => {
      keeper.stop()
      sync.stop()
      stopBridge()
      doc.destroy()
    }

    function followLink(next: Link): void {
      if (next.state === 'refused') return refuse(next)
      if (next.state === 'live') archive.onLive(Date.now() - (knownAt() ?? 0) > LONG_ABSENCE_MS)
      if (next.state === 'live') setKnownAt(Date.now())
      else if (link().state === 'live') setKnownAt(sync.heardAt())
      setLink(next)
    }
  }

  async function startOver(failures: number): Promise<void> {
    stopDocument()
    await dropTimeline(channelId)
    if (stopped) return
    archive.clear()
    follow(new Y.Doc(), failures)
  }

  function refuse(next: Link): void {
    drafts.forget()
    stop()
    setView(undefined)
    setLink(next)
    dropChannel(channelId)
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
    /** Whether somebody reads further down: then pages that leave the live document stay on the screen. */
    scrolled,
    setScrolled,
  }
}
