// A gateway between the browser and a test server that cuts a response off, or lets no WebSocket through, as a network may.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TestServer } from '../../support/server.ts'

/** Whether WebSockets get through, get an error, or get no answer. */
type Sockets = 'open' | 'refused' | 'ignored'

/** Cuts the body of the first response to a path with this ending, if there is one. */
export async function startGateway(server: TestServer, ending: string | null = null) {
  let left = ending === null ? 0 : 1
  let sockets: Sockets = 'open'
  const ignored = new Set<Duplex>()
  const { port: serverPort } = new URL(server.url)

  const gateway = createServer((incoming, response) => {
    // Without compression, so that the length is known.
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
    const passed = request(server.url + incoming.url, { method: incoming.method, headers }, received => {
      const cut = left > 0 && ending !== null && incoming.url?.endsWith(ending) === true
      if (cut) left--
      const length = cut ? { 'content-length': 1_000_000 } : {}
      response.writeHead(received.statusCode ?? 502, { ...received.headers, ...length })
      received.on('data', part => response.write(part))
      received.on('end', () => (cut ? response.socket?.destroySoon() : response.end()))
    })
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })

  gateway.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (sockets === 'refused') return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    if (sockets === 'ignored') return ignored.add(socket)
    const passed = connect(Number(serverPort), '127.0.0.1', () => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      passed.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
      passed.write(head)
      passed.pipe(socket).pipe(passed)
    })
    passed.on('error', () => socket.destroy())
    socket.on('error', () => passed.destroy())
  })

  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const address = gateway.address()
  if (address === null || typeof address === 'string') throw new Error('the gateway has a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** How many responses are still to be cut. */
    left: () => left,
    setSockets(next: Sockets): void {
      sockets = next
    },
    stop() {
      for (const socket of ignored) socket.destroy()
      gateway.close()
      gateway.closeAllConnections()
    },
  }
}
