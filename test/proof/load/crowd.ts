// Viewers that behave badly. Nothing that they see is checked. Runs in a process of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { CLOSE_GOING_AWAY } from '../../../shared/close-codes.ts'
import { emptyStateVector, hello } from '../../bench/load/dialects.ts'
import { serveCalls } from '../../bench/load/remote.ts'
import type { ViewerTrouble } from '../faults.ts'

export type Crowd = typeof functions

const OPEN_MS = 10_000
const FLOOD_MS = 2
const RETURN_MS = 100
const FLOOD_MAX_BYTES = 64 * 1024
const SLOW_BYTES_PER_MS = 1
const CATCH_UP_MS = 500

const sockets: WebSocket[] = []
const counts = { opened: 0, closed: 0, asked_to_leave: 0, frames: 0, bytes: 0 }
let trouble: ViewerTrouble = 'flood'
let flooding: NodeJS.Timeout | undefined
let target = ''
let slowly = false

const functions = {
  /** Returns how many sockets were opened. */
  async open({ how, viewers, url }: { how: ViewerTrouble; viewers: number; url: string }): Promise<number> {
    trouble = how
    target = url
    slowly = how === 'read slowly'
    await openAll(viewers)
    if (how === 'stop reading' || how === 'ignore closes') for (const socket of sockets) socket.pause()
    if (how === 'flood') flooding = setInterval(flood, FLOOD_MS)
    if (how === 'return at once') {
      for (const socket of sockets.splice(0)) socket.terminate()
      await openAll(viewers)
    }
    return counts.opened
  },

  /** Returns what shows that the service felt it; null if nothing does. */
  async end(_: null): Promise<string | null> {
    clearInterval(flooding)
    const { opened, frames, bytes } = counts
    switch (trouble) {
      case 'stop reading':
      case 'read slowly': {
        await readAll()
        const late = counts.bytes - bytes
        return late > 0 || counts.closed > 0 ? `${late} bytes waited, ${counts.closed} were cut off` : null
      }
      case 'ignore closes': {
        await readAll()
        const { asked_to_leave } = counts
        return asked_to_leave > 0 ? `${asked_to_leave} were asked to leave and didn't answer` : null
      }
      case 'flood':
        return bytes > 0 && frames > 0
          ? `${frames} requests for the document, ${bytes} bytes in response, cut off ${counts.closed} times`
          : null
      case 'return at once':
        return opened > 0 && bytes > 0 ? `${opened} connections, ${bytes} bytes` : null
    }
  },
}

async function readAll(): Promise<void> {
  slowly = false
  for (const socket of sockets) socket.resume()
  await delay(CATCH_UP_MS)
}

async function openAll(viewers: number): Promise<void> {
  await Promise.all(Array.from({ length: viewers }, openOne))
}

/** Resolves when the socket is open or refused. */
function openOne(): Promise<void> {
  return new Promise(resolve => {
    const socket = new WebSocket(target, { handshakeTimeout: OPEN_MS })
    sockets.push(socket)
    socket.on('open', () => {
      counts.opened++
      for (const frame of hello('y-websocket', '', emptyStateVector)) socket.send(frame)
      resolve()
    })
    socket.on('message', (message: Buffer) => {
      counts.bytes += message.length
      if (slowly) void rest(socket, message.length / SLOW_BYTES_PER_MS)
    })
    socket.on('error', () => resolve())
    socket.on('close', code => {
      counts.closed++
      if (code === CLOSE_GOING_AWAY) counts.asked_to_leave++
      // The service cuts off those that ask too often.
      if (trouble === 'flood') setTimeout(() => void openOne(), RETURN_MS)
      resolve()
    })
  })
}

async function rest(socket: WebSocket, ms: number): Promise<void> {
  socket.pause()
  await delay(ms)
  socket.resume()
}

function flood(): void {
  for (const socket of sockets) {
    if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > FLOOD_MAX_BYTES) continue
    for (const frame of hello('y-websocket', '', emptyStateVector)) socket.send(frame)
    counts.frames++
  }
}

serveCalls(functions)
