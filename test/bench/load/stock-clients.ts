// Stock clients (y-websocket's WebsocketProvider with its own document and awareness), in a process of their own.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { serveCalls } from './remote.ts'

export type StockClients = typeof functions

const together = 25
// Every provider adds an exit listener.
process.setMaxListeners(0)
const providers: WebsocketProvider[] = []

function open(base: string, channelId: string, params: Record<string, string>): Promise<void> {
  const provider = new WebsocketProvider(base, channelId, new Y.Doc(), {
    params,
    disableBc: true,
    WebSocketPolyfill: WebSocket as unknown as typeof globalThis.WebSocket,
  })
  providers.push(provider)
  return new Promise(resolve => provider.once('sync', () => resolve()))
}

const functions = {
  async open(options: { base: string; channel_id: string; params: Record<string, string>; clients: number }) {
    for (let opened = 0; opened < options.clients; opened += together) {
      const group = Array.from({ length: Math.min(together, options.clients - opened) })
      await Promise.all(group.map(() => open(options.base, options.channel_id, options.params)))
      // Spread over time, as if people had joined one by one.
      await delay(250)
    }
  },

  connected(_: null): number {
    return providers.filter(provider => provider.wsconnected).length
  },
}

serveCalls(functions)
