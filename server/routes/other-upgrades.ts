// Offers to go on in another protocol than WebSocket: curl and Java's HttpClient offer HTTP/2 (`Upgrade: h2c`).
// A server may leave them (RFC 9110, 7.8), and this one does: the request is answered as if there were none.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Node has taken the connection from its HTTP parser: it gets a new one, which reads the request less the offer. */
export function answerWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  stream: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[i + 1]}`)
  }
  stream.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  // What the old parser left listening would pile up on a connection with many such requests.
  for (const event of ['resume', 'pause']) stream.removeAllListeners(event)
  server.emit('connection', stream)
}
