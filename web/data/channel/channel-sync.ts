// Keeps a channel's document in step with the server. The stock provider speaks the protocol; the reconnect loop
// decides when to connect, because the provider has no jitter and ignores `online`.
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import type { ChannelView } from '../../../shared/channel-view.ts'
import { CLOSE_LOST_TIMELINE } from '../../../shared/close-codes.ts'
import type { Link, Refusal } from '../../lib/reconnect.ts'
import { makeReconnectLoop, READ_PAUSE_MS } from '../../lib/reconnect-loop.ts'
import { fetchDocument, fetchView } from '../viewer-requests.ts'

export type ChannelSyncTarget = {
  channel_id: string
  doc: Y.Doc
  /** When the document's state was fetched from the server (ms). */
  fetchedAt: number
  onLink: (link: Link, lastMessageAt: number) => void
  onView: (view: ChannelView) => void
  /** The sync has ended. */
  onRefused: (refusal: Refusal) => void
  /** The document belongs to lost history. This sync has ended: start another one with a new document. */
  onLostHistory: (failures: number) => void
}

/** The server sends a frame at least every 20 s. After a longer silence the socket is dead. */
const SILENCE_MS = 27_000

export function makeChannelSync(target: ChannelSyncTarget, failures: number) {
  const provider = new WebsocketProvider(`${location.origin}/sync`, target.channel_id, target.doc, {
    connect: false,
    disableBc: true,
    shouldReconnect: () => false,
  })
  provider.awareness.setLocalState(null)
  let etag: string | null = null
  let readAt = target.fetchedAt
  const lastMessageAt = () => Math.max(readAt, provider.wsLastMessageReceived)

  const loop = makeReconnectLoop(
    {
      async connect(signal, mustRead) {
        const view = await fetchView(target.channel_id)
        if (signal.aborted) return
        target.onView(view)
        if (mustRead && Date.now() - readAt >= READ_PAUSE_MS) await readDocument(signal)
        if (!signal.aborted) provider.connect()
      },
      disconnect: () => provider.disconnect(),
      isHealthy: () => provider.synced && Date.now() - provider.wsLastMessageReceived <= SILENCE_MS,
      onLink: link => target.onLink(link, lastMessageAt()),
      onRefused: refusal => {
        stop()
        target.onRefused(refusal)
      },
      onLostHistory: target.onLostHistory,
    },
    failures,
  )
  const onSync = (synced: boolean) => (synced ? loop.live() : loop.lost())
  const onClosed = ({ code }: { code: number }) => loop.closed(code)
  provider.on('sync', onSync)
  provider.on('closed', onClosed)

  /** Without the socket: the whole document, if it has changed. */
  async function readDocument(signal: AbortSignal): Promise<void> {
    const fetched = await fetchDocument(target.channel_id, etag)
    if (signal.aborted) return
    readAt = Date.now()
    if (!fetched) return
    if (!continues(target.doc, fetched.update)) return loop.closed(CLOSE_LOST_TIMELINE)
    etag = fetched.etag
    Y.applyUpdate(target.doc, fetched.update)
  }

  function stop(): void {
    provider.off('sync', onSync)
    provider.off('closed', onClosed)
    loop.stop()
    provider.destroy()
  }

  return { stop, lastMessageAt }
}

/** Whether the server's document has all clients of `doc`. Each epoch has its own client. */
function continues(doc: Y.Doc, update: Uint8Array): boolean {
  const server = Y.decodeStateVector(Y.encodeStateVectorFromUpdate(update))
  return [...Y.decodeStateVector(Y.encodeStateVector(doc)).keys()].every(client => server.has(client))
}
