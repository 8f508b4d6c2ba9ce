// Ports of the loopback interface.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Listens on a free port, which it returns. */
export async function listenOn(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('a listening server has an address')
  return address.port
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOn(server)
  server.close()
  await once(server, 'close')
  return port
}
