// A webhook receiver on a port of its own, told for each request what to do. It keeps all that it was sent.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Received = {
  method: string
  path: string
  headers: Record<string, string>
  /** The bytes as they came. */
  body: string
  /** When the request was complete, by performance.now(). */
  at: number
}

/** What is done with one request. */
export type Behaviour =
  | { kind: 'answer'; status?: number; headers?: Record<string, string>; body?: string }
  /** Nothing, until the other side gives up or `letGo` is called. */
  | { kind: 'stall' }
  | { kind: 'redirect'; to: string }
  /** A 200 whose body never ends. */
  | { kind: 'flood' }
  /** A 200 whose body stops halfway and stays open. */
  | { kind: 'hang'; body: string }
  /** Closes the connection; `after`: bytes to write before. */
  | { kind: 'close'; after?: string }

export type Receiver = {
  url: string
  received: Received[]
  /** Requests that were not answered yet. */
  readonly open: number
  /** Most requests that were open at the same time. */
  readonly most_open: number
  /** The path decides, or the body; at first every request is answered with 204. */
  behave(decide: (request: Received, nth: number) => Behaviour): void
  /** Resolves once so many requests have come. */
  count(requests: number): Promise<Received[]>
  /** Answers all that stall with 204. */
  letGo(): void
  stop(): Promise<void>
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const stalled = new Set<ServerResponse>()
  const waiting: { requests: number; resolve: (all: Received[]) => void }[] = []
  let decide: (request: Received, nth: number) => Behaviour = () => ({ kind: 'answer' })
  let open = 0
  let most_open = 0

  const server: Server = createServer(async (request, response) => {
    open += 1
    most_open = Math.max(most_open, open)
    response.once('close', () => {
      open -= 1
    })
    const one = await read(request)
    if (!one) return
    received.push(one)
    behave(decide(one, received.length), response, stalled)
    for (const { requests, resolve } of waiting) if (received.length >= requests) resolve(received)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const { port: taken }: AddressInfo = addressOf(server)
  const letGo = () => {
    for (const response of stalled) answer(response, { kind: 'answer' })
    stalled.clear()
  }
  return {
    url: `http://127.0.0.1:${taken}`,
    received,
    get open() {
      return open
    },
    get most_open() {
      return most_open
    },
    behave: how => {
      decide = how
    },
    count: requests =>
      new Promise(resolve => {
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

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('a listening server has an address')
  return address
}

/** null where the sender went away. */
async function read(request: IncomingMessage): Promise<Received | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return null
  }
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
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
