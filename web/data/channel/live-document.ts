// A channel's live document, shown and saved. All that needs Yjs loads with this file, after the first cards.
import * as Y from 'yjs'
import { type BridgeTarget, makeBridge } from './bridge.ts'
import { type ChannelSyncTarget, makeChannelSync } from './channel-sync.ts'
import { makeDocumentSaver } from './document-saver.ts'

/** `fetchedAt`: when `state` was fetched from the server (ms); 0 if it comes from the local copy. */
export type KnownState = { state?: Uint8Array; fetchedAt: number }

export type LiveDocumentTarget = BridgeTarget & Omit<ChannelSyncTarget, 'doc' | 'fetchedAt'>

export function makeLiveDocument(
  target: LiveDocumentTarget,
  known: KnownState,
  failures: number,
): () => void {
  const doc = new Y.Doc()
  if (known.state) Y.applyUpdate(doc, known.state)
  const stopBridge = makeBridge(doc, target)
  const { fetchedAt } = known
  const sync = makeChannelSync({ ...target, doc, fetchedAt }, failures)
  const saver = makeDocumentSaver(doc, target.channel_id, sync.lastMessageAt, fetchedAt === 0)

  return () => {
    saver.stop()
    sync.stop()
    stopBridge()
    doc.destroy()
  }
}
