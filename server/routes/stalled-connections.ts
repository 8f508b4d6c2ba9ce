// Limits the memory that clients can fill by sending requests and not reading the responses.
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'

const CHECK_MS = 1_000
/** A client must read this much in this time. A poor phone network carries a hundred times as much. */
const SENT_MIN_BYTES = 16 * 1024
const STALL_MS = 60_000

/** How many bytes a connection had sent, and when. */
type Progress = { sent: number; at: number }

/** Closes connections of every kind whose client doesn't read. Connections with nothing to send may be idle. */
export class StalledConnections {
  /** null: nothing waits to be sent. */
  readonly #open = new Map<Socket, Progress | null>()
  readonly #timer: NodeJS.Timeout

  /** `elapsed`: milliseconds as `performance.now()`. */
  constructor(server: Server, elapsed: () => number) {
    server.on('connection', socket => {
      // A connection is announced again for every declined upgrade.
      if (this.#open.has(socket)) return
      this.#open.set(socket, null)
      socket.once('close', () => this.#open.delete(socket))
    })
    this.#timer = setInterval(() => this.check(elapsed()), CHECK_MS)
  }

  check(now: number): void {
    for (const [socket, progress] of this.#open) {
      const sent = bytesSentWhileMoreWait(socket)
      if (sent === null) this.#open.set(socket, null)
      else if (!progress || sent - progress.sent >= SENT_MIN_BYTES) this.#open.set(socket, { sent, at: now })
      else if (now - progress.at > STALL_MS) socket.destroy()
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/**
 * How many bytes the system has sent on the connection; null if no more wait. Node's public counters move only after a
 * whole chunk, which may be a response of megabytes; the handle counts its parts. Node's socket timeout is no
 * alternative: everything that the client sends restarts it.
 */
export function bytesSentWhileMoreWait(socket: Socket): number | null {
  const handle: unknown = '_handle' in socket ? socket._handle : null
  if (typeof handle !== 'object' || handle === null) return null
  if (!('bytesWritten' in handle) || !('writeQueueSize' in handle)) return null
  const { bytesWritten, writeQueueSize } = handle
  if (typeof bytesWritten !== 'number' || typeof writeQueueSize !== 'number') return null
  return writeQueueSize > 0 ? bytesWritten - writeQueueSize : null
}

/**
 * Handles the requests of a connection one after another. Node starts all pipelined requests at once and keeps their
 * responses until the first one is read: a hundred small requests could fill gigabytes.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  return (request, response) => {
    // A response gets its socket from Node when the previous one has been sent.
    if (response.socket) listener(request, response)
    else response.once('socket', () => listener(request, response))
  }
}
