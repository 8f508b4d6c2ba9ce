// A proxy between a client and the service that fails as networks do.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { afterTest } from './after-test.ts'
import { listenOn } from './ports.ts'

/** `lose`: the service has answered, and the connection breaks. `refuse`: 503. `stall`: no answer ever comes. */
export type Fault = 'lose' | 'refuse' | 'stall'

/** It ends after the test. `target`: a service; null while none is there. */
export async function startFaultyProxy(target: string | null) {
  const faults: Fault[] = []
  const open = new Set<ServerResponse>()
  const begun = new Set<ServerResponse>()
  const requests: string[] = []
  const proxy = {
    url: '',
    target,
    /** Method and path of all requests. */
    requests,
    /** One for each of the next requests. */
    fail: (...next: Fault[]) => void faults.push(...next),
    /** How many responses are under way. */
    open: () => open.size,
    /** Of these, how many have a part of their body. */
    begun: () => begun.size,
    /** Breaks all responses off that are under way. */
    cut: () => {
      for (const response of open) response.destroy()
    },
  }

  const server = createServer((near, response) => {
    requests.push(`${near.method} ${near.url}`)
    open.add(response)
    response.once('close', () => {
      open.delete(response)
      begun.delete(response)
    })
    const fault = faults.shift()
    if (fault === 'refuse' || proxy.target === null)
      return void response.writeHead(503, { 'Error-Code': 'unavailable' }).end()
    pass(proxy.target, near, response, fault, () => begun.add(response))
  })
  const port = await listenOn(server)
  afterTest(() => {
    proxy.cut()
    server.close()
    server.closeAllConnections()
  })
  proxy.url = `http://127.0.0.1:${port}`
  return proxy
}

function pass(
  target: string,
  near: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
  noteBody: () => void,
): void {
  const { method, url, headers } = near
  const far = request(target + url, { method, headers, agent: false }, answer => {
    if (fault === undefined) {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('data', chunk => response.write(chunk, noteBody))
    }
    answer.on('end', () => {
      if (fault === undefined) response.end()
      if (fault === 'lose') response.destroy()
    })
    answer.on('error', () => response.destroy())
    answer.resume()
  })
  far.on('error', () => response.destroy())
  response.once('close', () => far.destroy())
  near.pipe(far)
}
