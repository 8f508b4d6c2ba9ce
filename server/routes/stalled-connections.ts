// Limits the memory that clients can fill by not reading responses.
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'

const CHECK_MS = 2_500
/** A client must read this much in a minute. A poor phone network is a hundred times as fast. */
const SENT_MIN_BYTES = 16 * 1024
const STALL_MS = 60_000

/** Closes connections whose client doesn't read. Connections with nothing to send may be idle. */
export class StalledConnections {
  readonly #open = new Set<Socket>()
  /** Those with bytes that wait to be sent: the bytes sent at the last progress, and its time. */
  #waiting = new Map<Socket, { sent: number; at: number }>()
  readonly #timer: NodeJS.Timeout

  constructor(server: Server, elapsed: () => number) {
    server.on('connection', socket => {
      // Each declined upgrade emits `connection` again.
      if (this.#open.has(socket)) return
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
    this.#timer = setInterval(() => this.check(elapsed()), CHECK_MS)
  }

  check(now: number): void {
    const before = this.#waiting
    this.#waiting = new Map()
    for (const socket of this.#open) {
      const sent = bytesSentWhileMoreWait(socket)
      if (sent === null) continue
      const progress = before.get(socket)
      if (!progress || sent - progress.sent >= SENT_MIN_BYTES) this.#waiting.set(socket, { sent, at: now })
      else if (now - progress.at > STALL_MS) socket.destroy()
      else this.#waiting.set(socket, progress)
    }
  }

  /** Closes connections without any request yet: browsers open some ahead, and Node doesn't count them as idle. */
  closeUnused(): void {
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/**
 * Returns null if no bytes wait. Node's public counters move only after a whole chunk, which may have megabytes; the
 * handle counts its parts. Node's socket timeout can't replace this: a client restarts it by sending anything.
 */
export function bytesSentWhileMoreWait(socket: Socket): number | null {
  // Cheaper than the handle, for thousands of idle connections.
  if (socket.writableLength === 0) return null
  const handle: unknown = '_handle' in socket ? socket._handle : null
  if (typeof handle !== 'object' || handle === null) return null
  if (!('writeQueueSize' in handle) || typeof handle.writeQueueSize !== 'number') return null
  const waiting = handle.writeQueueSize
  if (waiting === 0 || !('bytesWritten' in handle) || typeof handle.bytesWritten !== 'number') return null
  return handle.bytesWritten - waiting
}

/** Node starts all pipelined requests of a connection at once: the responses to a hundred could fill gigabytes. */
export function oneAtATime(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (response.socket) listener(request, response)
    else response.once('socket', () => listener(request, response))
  }
}
