// A channel as the page sees it: shown from the local copy at once, then kept live, and dropped when refused.
import { createSignal, onCleanup } from 'solid-js'
import * as Y from 'yjs'
import { type ChannelView, fetchDocument, Refused, Unreachable } from '../api.ts'
import { createArchive } from './archive.ts'
import { makeBridge } from './bridge.ts'
import { makeDocumentKeeper } from './document-keeper.ts'
import { createDrafts } from './drafts.ts'
import { createFeedStore } from './feed-store.ts'
import { dropChannel, dropForbidden, dropTimeline, readDocument, readView, writeView } from './local-copy.ts'
import { type Link, makeSync } from './sync.ts'

export type ChannelFeed = ReturnType<typeof createChannelFeed>

/** `touched` is emptied of what is older than an hour: an absence near to that reads shown pages again. */
const LONG_ABSENCE_MS = 50 * 60_000

/** A server that is slower than that may as well tell it over the socket. */
const FIRST_LOOK_MS = 4_000

const patience = (ms: number) => new Promise<undefined>(resolve => setTimeout(resolve, ms))

/**
 * What a first visit shows before there is a socket; the browser fetches it beside the scripts. Why it cannot be had,
 * the socket's way says better.
 */
async function firstLook(channelId: string): Promise<Uint8Array | undefined> {
  try {
    return await fetchDocument(channelId)
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreachable) return undefined
    throw error
  }
}

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
      return follow(doc, { failures: 0, looked_at: 0 })
    }
    const first = await Promise.race([firstLook(channelId), patience(FIRST_LOOK_MS)])
    if (stopped) return
    if (!first) return follow(doc, { failures: 0, looked_at: 0 })
    Y.applyUpdate(doc, first)
    const looked_at = Date.now()
    setKnownAt(looked_at)
    follow(doc, { failures: 0, looked_at })
  }

  /** `looked_at`: when the document was had from the server before there is a socket (ms); 0: it was not. */
  function follow(doc: Y.Doc, { failures, looked_at }: { failures: number; looked_at: number }): void {
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
    const heardAt = () => Math.max(looked_at, sync.heardAt())
    const keeper = makeDocumentKeeper(doc, channelId, { heardAt, kept: looked_at === 0 })
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
      else if (link().state === 'live') setKnownAt(heardAt())
      setLink(next)
    }
  }

  async function startOver(failures: number): Promise<void> {
    stopDocument()
    await dropTimeline(channelId)
    if (stopped) return
    archive.clear()
    follow(new Y.Doc(), { failures, looked_at: 0 })
  }

  function refuse(next: Extract<Link, { state: 'refused' }>): void {
    forget()
    setView(undefined)
    setLink(next)
    if (next.refusal === 'missing') dropChannel(channelId)
    else dropForbidden(channelId)
  }

  /** Nothing of it is written any more: the local copy is dropped. */
  function forget(): void {
    drafts.forget()
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
    /** Whether somebody reads further down: then pages that leave the live document stay on the screen. */
    scrolled,
    setScrolled,
    forget,
  }
}
