// Viewers of a channel: stock y-websocket clients and bare sockets.
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import { WebsocketProvider as WebsocketProvider2 } from 'y-websocket-2'
import * as Y from 'yjs'
import type { PlacedCard } from '../../shared/card.ts'
import { pagesOf, readPage } from '../../shared/channel-doc.ts'
import { afterTest } from './after-test.ts'

/** The stock clients by version. */
export const stockClients = { '3.1': WebsocketProvider, '2.1': WebsocketProvider2 }
export type StockVersion = keyof typeof stockClients

// Each stock client adds an exit listener.
process.setMaxListeners(200)

type WatchOptions = {
  version?: StockVersion
  /** The document from an earlier visit. */
  doc?: Y.Doc
  /** Sent with the upgrade. */
  headers?: Record<string, string>
  token?: string
}

export type TestViewer = ReturnType<typeof watch>

/** `url`: the service's. It leaves after the test. */
export function watch(url: string, channel_id: string, options: WatchOptions = {}) {
  const { version = '3.1', doc = new Y.Doc(), headers, token } = options
  const Provider = stockClients[version]
  const provider = new Provider(`${url.replace('http', 'ws')}/sync`, channel_id, doc, {
    WebSocketPolyfill: socketWith(headers),
    disableBc: true,
    ...(token && { params: { token } }),
  })
  const closes: number[] = []
  const closed = (event: { code: number } | null) => {
    if (event) closes.push(event.code)
  }
  const cards = () => cardsOf(doc, channel_id)
  let synced = (_seen: PlacedCard[]) => {}
  const atSync = new Promise<PlacedCard[]>(resolve => {
    synced = resolve
  })
  // The two versions declare `on` differently.
  if (provider instanceof WebsocketProvider) {
    provider.on('connection-close', closed)
    provider.on('sync', () => synced(cards()))
  } else {
    provider.on('connection-close', closed)
    provider.on('sync', () => synced(cards()))
  }
  const leave = () => provider.destroy()
  afterTest(leave)
  return {
    doc,
    provider,
    /** The server's close codes, in order. */
    closes,
    /** The live cards, oldest first. */
    cards,
    /** The live cards at the first `synced` event. */
    atSync,
    /** Resolves when `check` is true for the live cards. */
    sees: (check: (cards: PlacedCard[]) => boolean, what = 'the viewer sees it') =>
      until(() => check(cards()), what),
    leave,
  }
}

/** Resolves when the viewer has the document. */
export async function watchSynced(...given: Parameters<typeof watch>): Promise<TestViewer> {
  const viewer = watch(...given)
  await until(() => viewer.provider.synced, 'the viewer is synced')
  return viewer
}

function socketWith(headers: Record<string, string> | undefined): typeof globalThis.WebSocket {
  const Socket = class extends WebSocket {
    private readonly late = inOrderLate()
    constructor(address: string) {
      super(address, { ...(headers && { headers }) })
    }

    override emit(event: string, ...args: unknown[]): boolean {
      if (event !== 'message') return super.emit(event, ...args)
      this.late(() => super.emit(event, ...args))
      return true
    }
  }
  // @ts-expect-error y-websocket needs ws in Node, and its types differ from the browser's
  return Socket
}

/** `SLOW=100 npx vitest run --project=service` finds tests that don't wait for viewers. */
const SLOWEST_FRAME_MS = Number(process.env.SLOW ?? 0)

/** Runs each at once, or later and in order if `SLOW` is set. */
function inOrderLate(): (run: () => void) => void {
  if (SLOWEST_FRAME_MS === 0) return run => run()
  let last = Promise.resolve()
  return run => {
    const ms = Math.random() * SLOWEST_FRAME_MS
    last = last.then(() => new Promise(resolve => setTimeout(resolve, ms))).then(run)
  }
}

export function cardsOf(doc: Y.Doc, channel_id: string): PlacedCard[] {
  const pages = [...pagesOf(doc).values()]
  return pages.flatMap(page => readPage(page, channel_id)).sort((a, b) => a.position - b.position)
}

export type BareSocket = {
  socket: WebSocket
  frames: Buffer[]
  /** The close code, once closed. */
  closed: Promise<number>
}

/** A socket that sends nothing by itself, and ends after the test. Rejects with the status if the upgrade fails. */
export function openSocket(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<BareSocket> {
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
  afterTest(() => socket.terminate())
  const frames: Buffer[] = []
  socket.on('message', (bytes: Buffer) => frames.push(bytes))
  const closed = new Promise<number>(resolve => socket.once('close', resolve))
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, frames, closed }))
    socket.once('unexpected-response', (_, response) => {
      reject(new Rejected(response.statusCode ?? 0))
      socket.terminate()
    })
    socket.on('error', reject)
  })
}

export class Rejected extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the upgrade returned ${status}`)
    this.status = status
  }
}

/** The status of an upgrade; 101 if it succeeds. */
export const upgradeStatus = (...to: Parameters<typeof openSocket>) =>
  statusOf(openSocket(...to).then(({ socket }) => socket.terminate()))

export async function statusOf(opening: Promise<unknown>): Promise<number> {
  try {
    await opening
    return 101
  } catch (error) {
    if (error instanceof Rejected) return error.status
    throw error
  }
}

const LIMIT_MS = 30_000

/** Resolves when `check` is true; checks every few milliseconds. */
export async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + LIMIT_MS
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not within ${LIMIT_MS} ms: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
