// curl and Java's HttpClient offer HTTP/2 (`Upgrade: h2c`). A server may decline (RFC 9110, 7.8), and this one handles
// such a request as if it had no `Upgrade` header.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Node has detached its HTTP parser. A new one reads the request again, without the header. */
export function handleWithoutUpgrade(
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
  // Otherwise the old parser's listeners pile up on a connection with many such requests.
  for (const event of ['resume', 'pause']) stream.removeAllListeners(event)
  server.emit('connection', stream)
}
