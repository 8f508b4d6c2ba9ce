// The pages below the live document, read as the reader scrolls and saved to the local copy. Visible pages always
// continue the live ones without a gap, and pages that changed are read again.
import { createSignal } from 'solid-js'
import { ChannelFeedError } from '../../../client/errors.ts'
import { readPageCopy, writePage } from '../local-copy/channels.ts'
import { type FetchedPage, fetchPage } from '../viewer-requests.ts'
import type { FeedStore } from './feed-store.ts'

export type Archive = ReturnType<typeof createArchive>

/** `isCurrent`: the server confirmed it. A page that left the live document has no ETag yet. */
type VisiblePage = { version: number; etag: string | null; isCurrent: boolean }

type Place = { oldestPage: number; changes: string }

export function createArchive(channelId: string, store: FeedStore, isStopped: () => boolean) {
  const visible = new Map<number, VisiblePage>()
  const [state, setState] = createSignal<'idle' | 'loading' | 'failed' | 'complete'>('idle')
  const reader = makePageReader(channelId, visible, isStopped, page => show(page, true))
  /** Where the archive begins, and which of its pages changed lately; undefined before the document came. */
  const [place, setPlace] = createSignal<Place | undefined>(undefined, { equals: isSamePlace })
  let oldestLive = 0

  function nextPage(): number {
    let page = oldestLive - 1
    while (visible.has(page)) page--
    return page
  }

  const restingState = () => (nextPage() < 0 ? 'complete' : 'idle')

  /** Shows the next older page: from the local copy at once, then as the server has it. */
  async function showNext(): Promise<void> {
    const page = nextPage()
    if (page < 0 || state() === 'loading') return
    setState('loading')
    const copy = await readPageCopy(channelId, page)
    if (isStopped()) return
    if (copy) show(copy, false)
    const done = await reader.read(page, copy?.etag ?? null)
    if (!isStopped()) setState(done || copy ? restingState() : 'failed')
  }

  function show({ page, version, etag, cards }: FetchedPage, isCurrent: boolean): void {
    if (page >= oldestLive) return
    visible.set(page, { version, etag, isCurrent })
    store.setPage(page, cards)
  }

  /** A page left the live document while it was on the screen. It stays unless `follow` finds a gap above it. */
  const adopt = (page: number) => visible.set(page, { version: 0, etag: null, isCurrent: true })

  function follow(oldestPage: number, touched: Map<number, number>): void {
    oldestLive = oldestPage
    setPlace({ oldestPage, changes: JSON.stringify(Array.from(touched)) })
    const next = nextPage()
    for (const page of [...visible.keys()]) if (page < next || page >= oldestLive) remove(page)
    if (state() === 'idle' || state() === 'complete') setState(restingState())
    for (const [page, version] of touched) reader.refresh(page, version)
  }

  /** The channel is live again. After a long absence `touched` no longer lists every change. */
  function onLive(longAbsence: boolean): void {
    for (const [page, known] of visible) {
      if (longAbsence) known.isCurrent = false
      reader.refresh(page, known.version)
    }
    if (state() === 'failed') setState(restingState())
  }

  function remove(page: number): void {
    visible.delete(page)
    if (page < oldestLive) store.removePage(page)
  }

  function clear(): void {
    for (const page of [...visible.keys()]) remove(page)
    setState(restingState())
  }

  return { state, place, showNext, adopt, follow, onLive, clear }
}

const isSamePlace = (a: Place | undefined, b: Place | undefined) =>
  a?.oldestPage === b?.oldestPage && a?.changes === b?.changes

function makePageReader(
  channelId: string,
  visible: ReadonlyMap<number, VisiblePage>,
  isStopped: () => boolean,
  onFetched: (page: FetchedPage) => void,
) {
  const refreshing = new Map<number, Promise<boolean>>()

  /** Returns false if the request failed. The channel's sync finds out whether access was lost. */
  async function read(page: number, etag: string | null): Promise<boolean> {
    try {
      const fetched = await fetchPage(channelId, page, etag)
      const known = visible.get(page)
      if (isStopped()) return true
      if (fetched) {
        onFetched(fetched)
        await writePage(channelId, fetched)
      } else if (known) known.isCurrent = true
      return true
    } catch (error) {
      if (error instanceof ChannelFeedError) return false
      throw error
    }
  }

  async function refresh(page: number, version: number): Promise<void> {
    await refreshing.get(page)
    const known = visible.get(page)
    if (!known || (known.isCurrent && known.version >= version)) return
    const request = read(page, known.etag)
    refreshing.set(page, request)
    const done = await request
    refreshing.delete(page)
    const after = visible.get(page)
    if (!after) return
    after.isCurrent = done
    if (done) after.version = Math.max(after.version, version)
  }

  return { read, refresh }
}
