// A channel's live document, shown and saved. All that needs Yjs loads with this file, after the first cards.
import * as Y from 'yjs'
import type { Link } from '../../lib/reconnect.ts'
import { type BridgeTarget, makeBridge } from './bridge.ts'
import { type ChannelSyncTarget, makeChannelSync } from './channel-sync.ts'
import { makeDocumentSaver } from './document-saver.ts'

/** `fetchedAt`: when `state` was fetched from the server (ms); 0 if it comes from the local copy. */
export type KnownState = { state?: Uint8Array; fetchedAt: number }

export type LiveDocumentTarget = BridgeTarget &
  Pick<ChannelSyncTarget, 'onView' | 'onRefused' | 'onLostHistory'> & {
    onLink: (link: Link, lastMessageAt: number) => void
  }

export function makeLiveDocument(
  target: LiveDocumentTarget,
  known: KnownState,
  failures: number,
): () => void {
  const doc = new Y.Doc()
  if (known.state) Y.applyUpdate(doc, known.state)
  const stopBridge = makeBridge(doc, target)
  // The sync reports its link before it is assigned.
  let sync: ReturnType<typeof makeChannelSync> | undefined
  const lastMessageAt = () => Math.max(known.fetchedAt, sync?.lastMessageAt() ?? 0)
  sync = makeChannelSync({ ...target, doc, onLink: link => target.onLink(link, lastMessageAt()) }, failures)
  const saver = makeDocumentSaver(doc, target.channel_id, lastMessageAt, known.fetchedAt === 0)

  return () => {
    saver.stop()
    sync?.stop()
    stopBridge()
    doc.destroy()
  }
}
