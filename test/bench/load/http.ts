// One keep-alive HTTP connection that writes prepared bytes and waits for the response. No pipelining.
// node:http costs as much as the servers measured; this costs a tenth.
import { connect, type Socket } from 'node:net'

export type Answer = { status: number; body: Buffer }
export type HttpConnection = { send(request: Buffer): Promise<Answer> }

class ConnectionClosed extends Error {}

export function httpRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Buffer {
  const fields = { host: '127.0.0.1', 'content-type': 'application/json', ...headers }
  const lines = Object.entries({ ...fields, 'content-length': Buffer.byteLength(body) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`)
}

/** Reconnects if the server has closed the idle connection. */
export async function openHttp(port: number): Promise<HttpConnection> {
  let socket = await openSocket(port)
  return {
    async send(request) {
      if (socket.destroyed || socket.readableEnded) socket = await openSocket(port)
      try {
        return await exchange(socket, request)
      } catch (error) {
        if (!(error instanceof ConnectionClosed)) throw error
        socket = await openSocket(port)
        return exchange(socket, request)
      }
    },
  }
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      // A failed connection closes, which ends a waiting call.
      socket.off('error', reject).on('error', () => {})
      // Keeps reading to notice the server's close.
      socket.resume()
      resolve(socket)
    })
  })
}

function exchange(socket: Socket, request: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const end = () => {
      socket.off('data', read).off('close', closed)
    }
    const read = (chunk: Buffer) => {
      received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk
      const answer = readAnswer(received)
      if (!answer) return
      end()
      resolve(answer)
    }
    const closed = () => {
      end()
      reject(received.length > 0 ? new Error('the answer was cut off') : new ConnectionClosed())
    }
    socket.on('data', read).once('close', closed)
    socket.write(request)
  })
}

function readAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const body = bytes.subarray(end + 4)
  if (length !== undefined) return body.length >= Number(length) ? { status, body } : null
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, body }
  return body.subarray(-5).equals(Buffer.from('0\r\n\r\n')) ? { status, body } : null
}
