// Stock y-websocket clients of both versions.
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import { WebsocketProvider as WebsocketProvider2 } from 'y-websocket-2'
import type * as Y from 'yjs'
import type { Watch } from '../plan.ts'

export type Target = { client: Watch['client']; base: string; channel_id: string; token: string }
export type Handlers = { opened(): void; closed(code: number): void }

// Each stock client adds an exit listener.
process.setMaxListeners(0)

/** Returns the function that ends it. */
export function watchStock(
  { client, base, channel_id, token }: Target,
  doc: Y.Doc,
  handlers: Handlers,
): () => void {
  const { opened, closed } = handlers
  const options = { WebSocketPolyfill: socket(), disableBc: true, params: { token } }
  const onClose = (event: { code: number } | null) => event && closed(event.code)
  const onStatus = ({ status }: { status: string }) => void (status === 'connected' && opened())
  // The two versions declare `on` differently.
  if (client === 'y-websocket 3') {
    const provider = new WebsocketProvider(base, channel_id, doc, options)
    provider.on('connection-close', onClose)
    provider.on('status', onStatus)
    return () => provider.destroy()
  }
  const provider = new WebsocketProvider2(base, channel_id, doc, options)
  provider.on('connection-close', onClose)
  provider.on('status', onStatus)
  return () => provider.destroy()
}

function socket(): typeof globalThis.WebSocket {
  // @ts-expect-error y-websocket needs ws in Node, and its types differ from the browser's
  return WebSocket
}
