// Sends a request as raw bytes, for requests that fetch can't send, and reads the response.
import { once } from 'node:events'
import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: string; body: string }

/** Writes the parts one after another, and reads until the server closes the connection. */
export async function sendRaw(url: string, ...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // The server may respond and close before all parts are sent.
  socket.on('error', () => {})
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = new Promise(resolve => socket.once('close', resolve))
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  await closed
  const text = Buffer.concat(chunks).toString()
  const split = text.indexOf('\r\n\r\n')
  const headers = text.slice(0, split)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1] ?? 0), headers, body: text.slice(split + 4) }
}

/** Sends the request for a WebSocket, and reads the response until the server closes the connection. */
export const sendUpgrade = (url: string, path: string, headers: Record<string, string> = {}) =>
  sendRaw(url, upgradeHead(path, headers))

export function upgradeHead(path: string, headers: Record<string, string> = {}): string {
  const own = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' }
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', ...own, ...headers }
  return requestHead('GET', path, upgrade).replace('Connection: close\r\n', '')
}

/** Sends the start of a request, then closes the connection. */
export async function cutOff(url: string, start: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await new Promise<void>(resolve => socket.write(start, () => resolve()))
  socket.destroy()
  await once(socket, 'close')
}

/** The head of a request with `Connection: close`, so that the response ends. */
export const requestHead = (method: string, path: string, headers: Record<string, string>) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
