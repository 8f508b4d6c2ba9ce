// A gateway between the browser and a test server that breaks off in the middle of an answer, as a network does.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TestServer } from '../../support/server.ts'

export type Gateway = {
  url: string
  /** How many answers are still to be cut. */
  left: () => number
  stop: () => void
}

/** Cuts the first answer to a path that ends so: its head comes, and not all of its body. */
export async function startGateway(server: TestServer, ending: string): Promise<Gateway> {
  let left = 1
  const { port: serverPort } = new URL(server.url)

  const gateway = createServer((asked, answered) => {
    // As it was written, so that its length is known.
    const headers = { ...asked.headers, 'accept-encoding': 'identity' }
    const passed = request(server.url + asked.url, { method: asked.method, headers }, answer => {
      const cut = left > 0 && asked.url?.endsWith(ending) === true
      if (cut) left--
      const length = cut ? { 'content-length': 1_000_000 } : {}
      answered.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...length })
      answer.on('data', part => answered.write(part))
      answer.on('end', () => (cut ? answered.socket?.destroySoon() : answered.end()))
    })
    passed.on('error', () => answered.destroy())
    asked.pipe(passed)
  })

  gateway.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    const passed = connect(Number(serverPort), '127.0.0.1', () => {
      const headers = Object.entries(asked.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      passed.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
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
    left: () => left,
    stop() {
      gateway.close()
      gateway.closeAllConnections()
    },
  }
}
