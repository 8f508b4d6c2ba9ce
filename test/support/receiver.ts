// A webhook receiver. Tests choose its behaviour for each request; it keeps all requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { listenOn } from './ports.ts'

export type Received = {
  method: string
  path: string
  headers: Record<string, string>
  /** The bytes as received. */
  body: string
  /** When the request was complete, as `performance.now()`. */
  at: number
}

/** The behaviour for one request. */
export type Behaviour =
  | { kind: 'answer'; status?: number; headers?: Record<string, string>; body?: string }
  /** Doesn't respond until the other side gives up or `letGo` is called. */
  | { kind: 'stall' }
  | { kind: 'redirect'; to: string }
  /** A 200 whose body never ends. */
  | { kind: 'flood' }
  /** A 200 whose body stops halfway and stays open. */
  | { kind: 'hang'; body: string }
  /** Closes the connection after writing `after`. */
  | { kind: 'close'; after?: string }

type Decide = (request: Received, nth: number) => Behaviour

/** The text of the reply in a request or a claimed delivery. */
export const textOf = ({ body }: { body: string }): string => JSON.parse(body).trigger.text

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export async function startReceiver() {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const stalled = new Set<ServerResponse>()
  const waiting: { requests: number; resolve: (all: Received[]) => void }[] = []
  let decide: Decide = () => ({ kind: 'answer' })
  let open = 0
  let most_open = 0

  const server = createServer(async (request, response) => {
    open += 1
    most_open = Math.max(most_open, open)
    response.once('close', () => {
      open -= 1
    })
    const complete = await read(request)
    if (!complete) return
    received.push(complete)
    behave(decide(complete, received.length), response, stalled)
    for (const { requests, resolve } of waiting) if (received.length >= requests) resolve(received)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  /** Responds with 204 to all stalled requests. */
  function letGo(): void {
    for (const response of stalled) answer(response, { kind: 'answer' })
    stalled.clear()
  }

  return {
    url: `http://127.0.0.1:${await listenOn(server)}`,
    received,
    /** Requests without a response yet. */
    get open() {
      return open
    },
    /** The highest number of concurrent requests. */
    get most_open() {
      return most_open
    },
    /** The same for every request, or chosen by path or body. By default every request gets 204. */
    behave(how: Decide | Behaviour): void {
      decide = typeof how === 'function' ? how : () => how
    },
    /** The texts of the replies in all requests. */
    texts: () => received.map(textOf),
    /** Responds with 204 from now on, even to stalled requests. */
    recover(): void {
      decide = () => ({ kind: 'answer' })
      letGo()
    },
    /** Resolves once so many requests have arrived. */
    count: (requests: number) =>
      new Promise<Received[]>(resolve => {
        if (received.length >= requests) resolve(received)
        else waiting.push({ requests, resolve })
      }),
    letGo,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Null if the sender disconnected. */
async function read(request: IncomingMessage): Promise<Received | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return null
  }
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
    at: performance.now(),
  }
}

function behave(how: Behaviour, response: ServerResponse, stalled: Set<ServerResponse>): void {
  switch (how.kind) {
    case 'answer':
      return answer(response, how)
    case 'stall':
      stalled.add(response)
      return
    case 'redirect':
      return answer(response, { kind: 'answer', status: 307, headers: { Location: how.to } })
    case 'flood': {
      const chunk = Buffer.alloc(16_384, 'x')
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', write)
      return write()
    }
    case 'hang':
      response.write(how.body)
      return
    case 'close': {
      const { socket } = response
      if (how.after) socket?.end(how.after, () => socket.destroy())
      else socket?.destroy()
      return
    }
  }
}

function answer(response: ServerResponse, how: Extract<Behaviour, { kind: 'answer' }>): void {
  if (response.destroyed) return
  response.writeHead(how.status ?? (how.body === undefined ? 204 : 200), how.headers)
  response.end(how.body)
}
