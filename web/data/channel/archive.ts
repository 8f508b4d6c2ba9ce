// The pages below the live document, read as the reader scrolls. Visible pages always continue the live ones without
// a gap, and pages that changed are read again.
import { createSignal } from 'solid-js'
import type { FetchedPage } from '../client.ts'
import { readPage } from '../local-copy/channels.ts'
import type { FeedStore } from './feed-store.ts'
import { makePageReader, type VisiblePage } from './page-reader.ts'

export type ArchiveState = 'idle' | 'loading' | 'failed' | 'complete'
export type Archive = ReturnType<typeof createArchive>

export function createArchive(channelId: string, store: FeedStore) {
  const visible = new Map<number, VisiblePage>()
  const [state, setState] = createSignal<ArchiveState>('idle')
  const reader = makePageReader(channelId, visible, page => show(page, true))
  let oldestLive = 0

  /** The newest archived page that isn't visible; negative if all are. */
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
    const copy = await readPage(channelId, page)
    if (reader.isStopped()) return
    if (copy) show(copy, false)
    const done = await reader.read(page, copy?.etag ?? null)
    if (!reader.isStopped()) setState(done || copy ? restingState() : 'failed')
  }

  function show({ page, version, etag, cards }: FetchedPage, isCurrent: boolean): void {
    if (page >= oldestLive) return
    visible.set(page, { version, etag, isCurrent })
    store.setPage(page, cards)
  }

  /** A page left the live document while it was on the screen. It stays unless `follow` finds a gap above it. */
  function adopt(page: number): void {
    visible.set(page, { version: 0, etag: null, isCurrent: true })
  }

  /** The document's oldest live page, and the versions of archived pages that changed. */
  function follow(oldest_page: number, touched: Map<number, number>): void {
    oldestLive = oldest_page
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

  return { state, showNext, adopt, follow, onLive, clear, stop: reader.stop }
}
