// A channel's document, live: read as it was last known, then kept in step with the server, shown, and kept. What needs
// Yjs is behind this file alone, and loads once the first cards are on the screen.
import * as Y from 'yjs'
import { makeBridge } from './bridge.ts'
import { makeDocumentKeeper } from './document-keeper.ts'
import type { FeedStore } from './feed-store.ts'
import { type Link, makeSync, type Sync, type SyncTarget } from './sync.ts'

/** `looked_at`: when `state` was had from the server before there is a socket (ms); 0: it was not. */
export type KnownState = { state?: Uint8Array; looked_at: number }

export type LiveDocumentTarget = Pick<SyncTarget, 'channel_id' | 'onView' | 'onLostTimeline'> & {
  store: FeedStore
  /** `heardAt`: when the server last spoke (ms). */
  onLink: (link: Link, heardAt: number) => void
  onArchived: (page: number) => void
  onCardGone: (cardId: string) => void
  onChannel: (oldestPage: number, touched: Map<number, number>) => void
}

/** `failures` counts what went wrong in a row before. */
export function makeLiveDocument(target: LiveDocumentTarget, known: KnownState, failures: number) {
  const { channel_id } = target
  const doc = new Y.Doc()
  if (known.state) Y.applyUpdate(doc, known.state)
  const stopBridge = makeBridge(doc, target)
  let sync: Sync | undefined
  // It speaks of its link before it is there itself.
  sync = makeSync({ ...target, doc, onLink: link => target.onLink(link, heardAt()) }, failures)
  const keeper = makeDocumentKeeper(doc, channel_id, { heardAt, kept: known.looked_at === 0 })

  function heardAt(): number {
    return Math.max(known.looked_at, sync?.heardAt() ?? 0)
  }

  function stop(): void {
    keeper.stop()
    sync?.stop()
    stopBridge()
    doc.destroy()
  }

  return { stop }
}
