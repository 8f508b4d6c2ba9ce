// The viewers of a soak: bare sockets that come and go and time the cards, stock clients, and event streams. Runs in a
// process of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import { WebsocketProvider as WebsocketProvider2 } from 'y-websocket-2'
import * as Y from 'yjs'
import { now, readStamps } from '../../bench/card.ts'
import { Latencies } from '../../bench/latencies.ts'
import { emptyStateVector, hello, keepAlive, readSync } from '../../bench/load/dialects.ts'
import { serveCalls } from '../../bench/load/remote.ts'
import { openSocket, type ViewerSocket } from '../../bench/load/socket.ts'
import type { SoakLoad } from './plan.ts'
import { zipf } from './zipf.ts'

export type SoakViewers = typeof functions

const KEEP_ALIVE_MS = 15_000
const RETRY_MS = 500
const TOGETHER = 25
// Each stock client adds an exit listener.
process.setMaxListeners(0)

type Watching = { ports: number[]; api_key: string; channel_ids: string[] }
type Counts = SoakLoad['viewers'] & { streams: number; joins: number }

const latencies = new Latencies()
const bare: BareViewer[] = []
let given: Watching = { ports: [], api_key: '', channel_ids: [] }
let pick = zipf(1)
let connected = 0

const functions = {
  /** Resolves when all have tried to join. `joins`: how many bare viewers a second are replaced. */
  async open({ counts, ...rest }: Watching & { counts: Counts }): Promise<void> {
    given = rest
    pick = zipf(rest.channel_ids.length)
    for (let i = 0; i < counts.streams; i++) follow(i)
    const clients = [
      ...Array.from({ length: counts.stock_3 }, () => WebsocketProvider),
      ...Array.from({ length: counts.stock_2 }, () => WebsocketProvider2),
    ]
    for (const [i, Provider] of clients.entries()) {
      watchStock(i, Provider)
      if (i % TOGETHER === 0) await delay(100)
    }
    for (let i = 0; i < counts.bare; i++) {
      bare.push(new BareViewer(i))
      if (i % TOGETHER === 0) await delay(100)
    }
    if (counts.joins > 0) setInterval(replaceOne, 1000 / counts.joins)
  },

  /** From POST to viewer, since the last report, and how many bare viewers are connected. */
  report(_: null): { latencies: [number, number][]; connected: number } {
    const entries = latencies.entries()
    latencies.clear()
    return { latencies: entries, connected }
  },
}

const portOf = (n: number) => given.ports[n % given.ports.length] ?? 0
const pickChannel = () => given.channel_ids[pick(Math.random())] ?? ''

function replaceOne(): void {
  const i = Math.floor(Math.random() * bare.length)
  bare[i]?.leave()
  bare[i] = new BareViewer(i)
}

/** Keeps no document, so that a thousand cost less than what they watch. */
class BareViewer {
  #socket: ViewerSocket | null = null
  #left = false

  constructor(n: number) {
    void this.#stay(portOf(n), pickChannel())
  }

  leave(): void {
    this.#left = true
    this.#socket?.close()
  }

  async #stay(port: number, channel_id: string): Promise<void> {
    while (!this.#left) {
      await this.#watch(port, channel_id).catch(() => {})
      if (!this.#left) await delay(RETRY_MS)
    }
  }

  /** Resolves when the connection closes. */
  async #watch(port: number, channel_id: string): Promise<void> {
    let synced = false
    let closed = () => {}
    const end = new Promise<void>(resolve => {
      closed = resolve
    })
    const socket = await openSocket(port, `/sync/${channel_id}?token=${given.api_key}`, {
      onMessage(frame) {
        // The document that a viewer joins with contains old cards.
        if (synced) for (const stamp of readStamps(frame)) latencies.add(now() - stamp)
        else synced = readSync('y-websocket', frame)?.first ?? false
      },
      onClose: () => closed(),
    })
    connected++
    this.#socket = socket
    if (this.#left) socket.close()
    for (const frame of hello('y-websocket', channel_id, emptyStateVector)) socket.send(frame)
    const alive = keepAlive('y-websocket', channel_id)
    const timer = setInterval(() => alive && socket.send(alive), KEEP_ALIVE_MS)
    await end
    clearInterval(timer)
    socket.close()
    connected--
  }
}

function watchStock(n: number, Provider: typeof WebsocketProvider | typeof WebsocketProvider2): void {
  new Provider(`ws://127.0.0.1:${portOf(n)}/sync`, pickChannel(), new Y.Doc(), {
    // @ts-expect-error y-websocket needs ws in Node, and its types differ from the browser's
    WebSocketPolyfill: WebSocket,
    disableBc: true,
    params: { token: given.api_key },
  })
}

/** An event stream that is read to the end and opened again. */
function follow(n: number): void {
  void (async () => {
    for (;;) {
      try {
        const url = `http://127.0.0.1:${portOf(n)}/api/v1/channels/${given.channel_ids[n]}/events`
        const headers = { Authorization: `Bearer ${given.api_key}` }
        const response = await fetch(url, { headers })
        await response.body?.pipeTo(new WritableStream())
      } catch {
        // Its instance is down.
      }
      await delay(RETRY_MS)
    }
  })()
}

serveCalls(functions)
