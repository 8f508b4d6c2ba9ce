// A channel as the page sees it: its first cards at once, from the local copy or by a first look, then all of it, kept
// live, and dropped when refused.
import { batch, createEffect, createMemo, createSignal, onCleanup } from 'solid-js'
import { ChannelFeedError } from '../../../client/errors.ts'
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import { painted } from '../../lib/painted.ts'
import { patience } from '../../lib/patience.ts'
import { fetchDocument, fetchFirstCards } from '../client.ts'
import { createDrafts } from '../drafts/drafts.ts'
import {
  dropChannel,
  dropForbidden,
  dropTimeline,
  readByName,
  readDocument,
  readView,
  writeByName,
  writeDocument,
  writeView,
} from '../local-copy.ts'
import { createArchive } from './archive.ts'
import { createFeedStore } from './feed-store.ts'
import { readLastLook } from './last-look.ts'
import type { KnownState } from './live-document.ts'
import { type LiveScripts, loadLiveScripts, loadPageAnew } from './live-scripts.ts'
import type { Link } from './sync.ts'

export type ChannelFeed = ReturnType<typeof createChannelFeed>

/** `touched` is emptied of what is older than an hour: an absence near to that reads shown pages again. */
const LONG_ABSENCE_MS = 50 * 60_000

/** A server that is slower than that may as well tell it over the socket. */
const FIRST_LOOK_MS = 4_000

const NOTHING: KnownState = { looked_at: 0 }

/** What a first visit shows before there is a socket. Why it cannot be had, the socket's way says better. */
async function look<T>(asked: Promise<T>): Promise<T | undefined> {
  const answer = asked.catch(error => {
    if (error instanceof ChannelFeedError) return undefined
    throw error
  })
  return Promise.race([answer, patience(FIRST_LOOK_MS)])
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
  const [byName, showByName] = createSignal(false)
  let loading: Promise<LiveScripts | undefined> | undefined
  let stopDocument = () => {}
  let stopped = false

  onCleanup(stop)
  open()
  // Only these people have the choice; other visits are spared the reading.
  const mayChoose = createMemo(() => view()?.you?.kind === 'user')
  createEffect(() => {
    if (mayChoose()) readByName(channelId).then(kept => kept !== undefined && showByName(kept))
  })

  function setByName(next: boolean): void {
    showByName(next)
    writeByName(channelId, next)
  }

  async function open(): Promise<void> {
    const kept = Promise.all([readDocument(channelId), readView(channelId), drafts.restored])
    const last = readLastLook(channelId)
    if (last) await show(last)
    const [copy, seen] = await kept
    if (stopped) return
    if (seen) setView(seen.view)
    if (!copy) return firstVisit()
    setKnownAt(copy.saved_at)
    if (copy.first) await show(copy.first)
    await follow({ state: copy.state, looked_at: 0 })
  }

  /** The browser fetches the first cards beside the scripts; the rest comes while they are put on the screen. */
  async function firstVisit(): Promise<void> {
    const first = await look(fetchFirstCards(channelId))
    if (stopped) return
    if (!first) return follow(NOTHING)
    setKnownAt(Date.now())
    // Of a visit that ends here, this much is kept.
    writeDocument(channelId, { first, saved_at: Date.now() })
    const document = look(fetchDocument(channelId))
    scripts()
    await show(first)
    const state = await document
    if (stopped) return
    const looked_at = state ? Date.now() : 0
    if (state) setKnownAt(looked_at)
    await follow({ state, looked_at })
  }

  /** What fills a screen goes before the many that are below it, and before the scripts that read them. */
  async function show({ head, pages }: FirstCards): Promise<void> {
    batch(() => {
      store.setHead(head)
      for (const { page, cards } of pages) store.setPage(page, cards)
    })
    await painted()
  }

  async function follow(known: KnownState, failures = 0): Promise<void> {
    const loaded = await scripts()
    if (!loaded || stopped) return
    const document = loaded.makeLiveDocument(
      {
        channel_id: channelId,
        store,
        onLink: followLink,
        onView: next => {
          setView(next)
          writeView(next)
        },
        onLostTimeline: startOver,
        onArchived: page => (scrolled() ? archive.adopt(page) : store.removePage(page)),
        onCardGone: drafts.forgetCard,
        onChannel: archive.follow,
      },
      known,
      failures,
    )
    stopDocument = document.stop
  }

  /** undefined where they did not come. */
  function scripts(): Promise<LiveScripts | undefined> {
    loading ??= loadLiveScripts().catch(() => {
      setLink({ state: 'offline' })
      loadPageAnew(channelId, () => stopped)
      return undefined
    })
    return loading
  }

  function followLink(next: Link, heardAt: number): void {
    if (next.state === 'refused') return refuse(next)
    if (next.state === 'live') archive.onLive(Date.now() - (knownAt() ?? 0) > LONG_ABSENCE_MS)
    if (next.state === 'live') setKnownAt(Date.now())
    else if (link().state === 'live') setKnownAt(heardAt)
    setLink(next)
  }

  async function startOver(failures: number): Promise<void> {
    stopDocument()
    await dropTimeline(channelId)
    if (stopped) return
    archive.clear()
    await follow(NOTHING, failures)
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
    /** Whether a signed-in person without a role acts by name. */
    byName,
    setByName,
    forget,
  }
}
