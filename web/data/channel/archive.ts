// The pages below the live document, read over HTTP as the reader scrolls, and kept beside the local copy.
// Shown pages always run on from the live ones without a gap; what changed in them is read again.
import { createSignal } from 'solid-js'
import { ChannelFeedError } from '../../../client/errors.ts'
import { type FetchedPage, fetchPage } from '../client.ts'
import { readPage, writePage } from '../local-copy.ts'
import type { FeedStore } from './feed-store.ts'

export type ArchiveState = 'idle' | 'loading' | 'failed' | 'complete'
export type Archive = ReturnType<typeof createArchive>

/** A page that is shown. What left the live document under our eyes has no version yet, and no ETag. */
type Shown = { version: number; etag: string | null; fresh: boolean }

export function createArchive(channelId: string, store: FeedStore) {
  const shown = new Map<number, Shown>()
  const [state, setState] = createSignal<ArchiveState>('idle')
  const reading = new Map<number, Promise<boolean>>()
  let oldestLive = 0
  let stopped = false

  const next = () => {
    let page = oldestLive - 1
    while (shown.has(page)) page--
    return page
  }

  /** Shows the next older page: from the local copy at once, then as the server has it. */
  async function showNext(): Promise<void> {
    const page = next()
    if (page < 0 || state() === 'loading') return
    setState('loading')
    const copy = await readPage(channelId, page)
    if (stopped) return
    if (copy) show(copy, false)
    const read = await readFromServer(page, copy?.etag ?? null)
    if (!stopped) setState(read || copy ? stateBelow() : 'failed')
  }

  /** Reads a page again unless it is known to be at `version` or newer. */
  async function refresh(page: number, version: number): Promise<void> {
    await reading.get(page)
    const known = shown.get(page)
    if (!known || (known.fresh && known.version >= version)) return
    const work = readFromServer(page, known.etag)
    reading.set(page, work)
    const read = await work
    reading.delete(page)
    const now = shown.get(page)
    if (!now) return
    now.fresh = read
    if (read) now.version = Math.max(now.version, version)
  }

  /** False where the server could not be asked, or refused: whether the channel may still be seen, sync finds out. */
  async function readFromServer(page: number, etag: string | null): Promise<boolean> {
    try {
      await read(page, etag)
      return true
    } catch (error) {
      if (error instanceof ChannelFeedError) return false
      throw error
    }
  }

  async function read(page: number, etag: string | null): Promise<void> {
    const fetched = await fetchPage(channelId, page, etag)
    if (stopped) return
    if (fetched) {
      show(fetched, true)
      await writePage(channelId, fetched)
      return
    }
    const known = shown.get(page)
    if (known) known.fresh = true
  }

  function show({ page, version, etag, cards }: FetchedPage, fresh: boolean): void {
    if (page >= oldestLive) return
    shown.set(page, { version, etag, fresh })
    store.setPage(page, cards)
  }

  /** A page left the live document under the reader's eyes: it stays, unless `follow` finds a gap above it. */
  function adopt(page: number): void {
    shown.set(page, { version: 0, etag: null, fresh: true })
  }

  /** What the document says: the oldest page it has itself, and the versions of archived pages that changed. */
  function follow(oldest_page: number, touched: Map<number, number>): void {
    oldestLive = oldest_page
    dropBeyondGap()
    if (state() === 'idle' || state() === 'complete') setState(stateBelow())
    for (const [page, version] of touched) refresh(page, version)
  }

  /** The channel is live again. After a long absence `touched` no longer tells of every change. */
  function onLive(longAbsence: boolean): void {
    for (const [page, known] of shown) {
      if (longAbsence) known.fresh = false
      refresh(page, known.version)
    }
    if (state() === 'failed') setState(stateBelow())
  }

  function dropBeyondGap(): void {
    const lowest = next()
    for (const page of [...shown.keys()]) if (page < lowest || page >= oldestLive) forget(page)
  }

  function forget(page: number): void {
    shown.delete(page)
    if (page < oldestLive) store.removePage(page)
  }

  /** Nothing archived is shown any more. */
  function clear(): void {
    for (const page of [...shown.keys()]) forget(page)
    setState(stateBelow())
  }

  function stateBelow(): ArchiveState {
    return next() < 0 ? 'complete' : 'idle'
  }

  function stop(): void {
    stopped = true
  }

  return { state, showNext, adopt, follow, onLive, clear, stop }
}
