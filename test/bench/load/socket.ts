// A WebSocket client with nothing but what a viewer needs (RFC 6455, unfragmented binary frames, no
// compression), so that a thousand of them cost less than the server they watch.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const binary = 2
const close = 8
const ping = 9
const pong = 10

/** What a socket has just read. Shared by all: a buffer for each read would cost more than everything else here. */
const received = Buffer.alloc(256 * 1024)

export type ViewerSocket = { send(payload: Uint8Array): void; close(): void }
/** `payload` is valid during the call only. */
export type Events = { onMessage(payload: Buffer): void; onClose(reason: string): void }

export function openSocket(port: number, path: string, events: Events): Promise<ViewerSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: { buffer: received, callback: length => read(received.subarray(0, length)) },
    })
    let rest: Buffer | null = null
    let open = false

    socket.on('connect', () => socket.write(upgradeRequest(port, path)))
    socket.on('error', error => (open ? undefined : reject(error)))
    socket.on('close', () =>
      open ? events.onClose('closed') : reject(new Error('closed before the upgrade')),
    )

    function read(chunk: Buffer): boolean {
      let bytes = rest ? Buffer.concat([rest, chunk]) : chunk
      if (!open) {
        const end = bytes.indexOf('\r\n\r\n')
        if (end < 0) {
          rest = Buffer.from(bytes)
          return true
        }
        const status = bytes.toString('latin1', 9, 12)
        if (status !== '101') {
          socket.destroy()
          reject(new Error(`upgrade of ${path} answered ${status}`))
          return false
        }
        open = true
        bytes = bytes.subarray(end + 4)
        resolve({ send: payload => writeFrame(socket, binary, payload), close: () => socket.destroy() })
      }
      const incomplete = readFrames(bytes, (opcode, payload) => {
        if (opcode === binary) events.onMessage(payload)
        else if (opcode === ping) writeFrame(socket, pong, payload)
        else if (opcode === close)
          events.onClose(`code ${payload.length >= 2 ? payload.readUInt16BE(0) : 1005}`)
      })
      rest = incomplete.length > 0 ? Buffer.from(incomplete) : null
      return true
    }
  })
}

function upgradeRequest(port: number, path: string): string {
  return [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n')
}

/** Returns the bytes of the last, incomplete frame. */
function readFrames(bytes: Buffer, onFrame: (opcode: number, payload: Buffer) => void): Buffer {
  let at = 0
  while (bytes.length - at >= 2) {
    const opcode = bytes.readUInt8(at) & 15
    let length = bytes.readUInt8(at + 1) & 127
    let head = 2
    if (length === 126) {
      if (bytes.length - at < 4) break
      length = bytes.readUInt16BE(at + 2)
      head = 4
    } else if (length === 127) {
      if (bytes.length - at < 10) break
      length = Number(bytes.readBigUInt64BE(at + 2))
      head = 10
    }
    const end = at + head + length
    if (bytes.length < end) break
    onFrame(opcode, bytes.subarray(at + head, end))
    at = end
  }
  return bytes.subarray(at)
}

/** Clients must mask; a mask of zeros leaves the payload unchanged. */
function writeFrame(socket: Socket, opcode: number, payload: Uint8Array): void {
  const extended = payload.length > 125
  const head = Buffer.alloc(extended ? 8 : 6)
  head.writeUInt8(128 | opcode, 0)
  head.writeUInt8(128 | (extended ? 126 : payload.length), 1)
  if (extended) head.writeUInt16BE(payload.length, 2)
  socket.write(Buffer.concat([head, payload]))
}
