// Reads archived pages over HTTP, each again when it may have changed, and saves them to the local copy.
import { ChannelFeedError } from '../../../client/errors.ts'
import { type FetchedPage, fetchPage } from '../client.ts'
import { writePage } from '../local-copy/channels.ts'

/** A visible page. `isCurrent`: the server confirmed it. A page that left the live document has no ETag yet. */
export type VisiblePage = { version: number; etag: string | null; isCurrent: boolean }

export function makePageReader(
  channelId: string,
  visible: ReadonlyMap<number, VisiblePage>,
  onFetched: (page: FetchedPage) => void,
) {
  const reading = new Map<number, Promise<boolean>>()
  let stopped = false

  /** Returns false if the request failed. The channel's sync finds out whether access was lost. */
  async function read(page: number, etag: string | null): Promise<boolean> {
    try {
      const fetched = await fetchPage(channelId, page, etag)
      const known = visible.get(page)
      if (stopped) return true
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

  /** Reads a visible page again unless it is current at `version` or newer. */
  async function refresh(page: number, version: number): Promise<void> {
    await reading.get(page)
    const known = visible.get(page)
    if (!known || (known.isCurrent && known.version >= version)) return
    const request = read(page, known.etag)
    reading.set(page, request)
    const done = await request
    reading.delete(page)
    const after = visible.get(page)
    if (!after) return
    after.isCurrent = done
    if (done) after.version = Math.max(after.version, version)
  }

  function stop(): void {
    stopped = true
  }

  return { read, refresh, stop, isStopped: () => stopped }
}
