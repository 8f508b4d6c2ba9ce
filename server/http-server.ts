// The HTTP server: it listens while the service still starts, serves requests and upgrades, and stops gracefully.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { type Config, ConfigError } from './config.ts'
import { apiError, unavailable } from './errors.ts'
import { handleWithoutUpgrade, isWebSocket } from './routes/declined-upgrades.ts'
import { keepDotKeys } from './routes/dot-keys.ts'
import { oneAtATime, StalledConnections } from './routes/stalled-connections.ts'

/** Longer than common balancers keep idle connections (60 to 90 s): a request must not meet the server's close. */
export const KEEP_ALIVE_MS = 95_000

/** Connections that may wait to be accepted, such as of agents that all come back at once. Linux allows 4,096 by default. */
const BACKLOG = 4_096

type OnUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => void

/** Listens, and responds with 503 until `serve` is called. */
export async function startHttpServer(config: Config, elapsed: () => number) {
  // Only Node 24 calls this. Earlier versions hand over every upgrade, see `onUpgrade`.
  const options: ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean } = {
    shouldUpgradeCallback: request => isWebSocket(request) && server.listenerCount('upgrade') > 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = createServer(options, respondWhileStarting)
  const url = await listen(server, config)
  const stalled = new StalledConnections(server, elapsed)
  let draining = false

  return {
    url,

    get draining() {
      return draining
    },

    /** From now on, connections end with their next response, so that balancers open new ones to other instances. */
    drain(): void {
      draining = true
      server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'))
    },

    serve(app: { fetch: Parameters<typeof getRequestListener>[0] }, onWebSocket: OnUpgrade): void {
      const onUpgrade: OnUpgrade = (request, stream, head) => {
        if (isWebSocket(request)) onWebSocket(request, stream, head)
        else handleWithoutUpgrade(server, request, stream, head)
      }
      server.on('upgrade', onUpgrade)
      server.off('request', respondWhileStarting)
      // HTTP/1.0 has no Host, and some load balancers still request /healthz with it.
      const listener = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: badRequest })
      const handle = oneAtATime(listener)
      server.on('request', (request, response) => {
        request.url = keepDotKeys(request.url) ?? '/'
        handle(request, response)
      })
    },

    /** Accepts no new connections or upgrades. Resolves when all requests are done and all sockets are closed. */
    async stop(): Promise<void> {
      server.removeAllListeners('upgrade')
      if (server.listening) {
        const closed = new Promise<void>(resolve => server.close(() => resolve()))
        const idle = setInterval(() => {
          server.closeIdleConnections()
          stalled.closeUnused()
        }, 50)
        await closed
        clearInterval(idle)
      }
      stalled.stop()
    },
  }
}

/** For requests that Hono can't read: a malformed Host, or a target that isn't a path. */
const badRequest = () => {
  const { status, headers, body } = apiError('bad_request')
  return Response.json(body, { status, headers })
}

const respondWhileStarting: RequestListener = (request, response) => {
  const alive = { status: 200, headers: {}, body: { status: 'ok' } }
  const { status, headers, body } = request.url === '/healthz' ? alive : unavailable()
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Returns the address that users type. */
async function listen(server: Server, config: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'is in use: set PORT to another one' : `cannot be used (${code})`
      reject(new ConfigError(`PORT ${config.port} on HOST ${config.host} ${reason}`))
    })
    server.listen({ port: config.port, host: config.host, backlog: BACKLOG }, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  return config.public_url ?? `http://localhost:${port}`
}
