// Bounds what clients that ask and don't read can make the server hold: a response waits in memory until it is sent.
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'

const CHECK_MS = 1_000
/** A client takes at least this much in this time, or is cut off. A poor phone network carries a hundred times that. */
const TAKEN_MIN_BYTES = 16 * 1024
const STALL_MS = 60_000

/** How much a connection had taken, and when. */
type Mark = { taken: number; at: number }

/** Cuts connections off, of every kind, whose client doesn't read what waits for it. Those with nothing to send may idle. */
export class StalledConnections {
  /** null: nothing waits. */
  readonly #open = new Map<Socket, Mark | null>()
  readonly #timer: NodeJS.Timeout

  /** `elapsed`: milliseconds as `performance.now()`. */
  constructor(server: Server, elapsed: () => number) {
    server.on('connection', socket => {
      // Once for each offer of HTTP/2 that the connection carries, see other-upgrades.ts.
      if (this.#open.has(socket)) return
      this.#open.set(socket, null)
      socket.once('close', () => this.#open.delete(socket))
    })
    this.#timer = setInterval(() => this.check(elapsed()), CHECK_MS)
  }

  check(now: number): void {
    for (const [socket, mark] of this.#open) {
      const taken = takenWhileMoreWaits(socket)
      if (taken === null) this.#open.set(socket, null)
      else if (!mark || taken - mark.taken >= TAKEN_MIN_BYTES) this.#open.set(socket, { taken, at: now })
      else if (now - mark.at > STALL_MS) socket.destroy()
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/**
 * How many bytes the system took from the connection so far; null if no more wait. Node's public counters move when a
 * whole chunk is out, and a chunk may be a response of megabytes; the handle counts each part of it, as Node's own
 * socket timeout does. That timeout is of no use here: whatever the client sends meanwhile starts it again.
 */
export function takenWhileMoreWaits(socket: Socket): number | null {
  const handle: unknown = '_handle' in socket ? socket._handle : null
  if (typeof handle !== 'object' || handle === null) return null
  if (!('bytesWritten' in handle) || !('writeQueueSize' in handle)) return null
  const { bytesWritten, writeQueueSize } = handle
  if (typeof bytesWritten !== 'number' || typeof writeQueueSize !== 'number') return null
  return writeQueueSize > 0 ? bytesWritten - writeQueueSize : null
}

/**
 * Handles the requests of a connection one after another. Node hands over all that a client sent at once, and keeps
 * their answers until the first one is read: some hundred requests of a few bytes each could ask for gigabytes.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  return (request, response) => {
    // Node gives a response its socket when the one before it has been sent.
    if (response.socket) listener(request, response)
    else response.once('socket', () => listener(request, response))
  }
}
