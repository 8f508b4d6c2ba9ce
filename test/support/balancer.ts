// A balancer as small as can be: round robin over the instances whose /readyz returns 200. It tries another instance only
// if no byte of the request was sent. Sockets and streams pass through.
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenOn } from './ports.ts'

const PROBE_MS = 50

export type Balancer = Awaited<ReturnType<typeof startBalancer>>

export async function startBalancer(instances: string[]) {
  const targets = instances.map(url => new Target(url))
  let turn = 0
  /** The ready instances, each first in turn. */
  function inTurn(): Target[] {
    const ready = targets.filter(target => target.ready)
    const first = turn++ % Math.max(1, ready.length)
    return [...ready.slice(first), ...ready.slice(0, first)]
  }

  const sockets = new Set<Socket>()
  const server = createServer((near, response) => pass(near, response, inTurn()))
  server.on('upgrade', (near, stream, head) => passUpgrade(near, stream, head, inTurn()))
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await listenOn(server)
  await Promise.all(targets.map(target => target.probe()))

  return {
    url: `http://127.0.0.1:${port}`,
    isReady: (url: string) => targets.some(target => target.url === url && target.ready),
    /** Sends nothing more to the instance, as Kubernetes does before it stops a pod, until `use`. */
    leave: (url: string) => targets.find(target => target.url === url)?.leave(),
    use: (url: string) => targets.find(target => target.url === url)?.use(),
    async stop(): Promise<void> {
      for (const target of targets) target.stop()
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

class Target {
  readonly url: string
  readonly agent = new Agent({ keepAlive: true })
  #answers = false
  #left = false
  #probing = false
  readonly #timer: NodeJS.Timeout

  constructor(url: string) {
    this.url = url
    this.#timer = setInterval(() => void this.probe(), PROBE_MS)
  }

  get ready(): boolean {
    return this.#answers && !this.#left
  }

  async probe(): Promise<void> {
    if (this.#probing) return
    this.#probing = true
    const response = await fetch(`${this.url}/readyz`).catch(() => null)
    await response?.arrayBuffer().catch(() => {})
    this.#answers = response?.status === 200
    this.#probing = false
  }

  leave(): void {
    this.#left = true
  }

  use(): void {
    this.#left = false
  }

  stop(): void {
    clearInterval(this.#timer)
    this.agent.destroy()
  }
}

function pass(near: IncomingMessage, response: ServerResponse, [target, ...others]: Target[]): void {
  if (!target) return void response.writeHead(503, { 'X-Balancer': 'nobody is ready' }).end()
  const { method, url, headers } = near
  const far = request(target.url + url, { method, headers: forHop(headers), agent: target.agent }, answer => {
    response.writeHead(answer.statusCode ?? 502, forHop(answer.headers))
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  response.once('close', () => far.destroy())
  let sent = false
  far.once('socket', socket => {
    const send = () => {
      sent = true
      near.pipe(far)
    }
    if (socket.connecting) socket.once('connect', send)
    else send()
  })
  far.on('error', (error: NodeJS.ErrnoException) => {
    if (!sent) return pass(near, response, others)
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { 'X-Balancer': `${error.code} ${target.url}` }).end()
  })
}

function passUpgrade(
  near: IncomingMessage,
  stream: Duplex,
  head: Buffer,
  [target, ...others]: Target[],
): void {
  stream.on('error', () => {})
  if (!target) return void stream.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n')
  const far = connect(Number(new URL(target.url).port), '127.0.0.1')
  far.once('connect', () => {
    const lines = [`${near.method} ${near.url} HTTP/1.1`]
    for (let i = 0; i < near.rawHeaders.length; i += 2)
      lines.push(`${near.rawHeaders[i]}: ${near.rawHeaders[i + 1]}`)
    far.write(`${lines.join('\r\n')}\r\n\r\n`)
    far.write(head)
    stream.pipe(far).pipe(stream)
    stream.once('close', () => far.destroy())
  })
  far.on('error', () => {
    if (far.bytesWritten === 0) passUpgrade(near, stream, head, others)
    else stream.destroy()
  })
}

/** Without the headers that concern one connection only. */
function forHop({ connection, 'keep-alive': _, ...headers }: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return headers
}
