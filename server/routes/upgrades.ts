// Opens WebSockets for viewers with access. Errors are sent before the upgrade: older stock clients reconnect at once
// after a close.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { authorize, userOf } from '../auth/access.ts'
import type { Cap } from '../auth/caps.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { Identify } from '../auth/identify.ts'
import { isOwnOrigin } from '../auth/origin.ts'
import { type ApiError, asApiError, notFound, unauthorized, unavailable } from '../errors.ts'
import { receiverFor } from './counted-response.ts'
import { type OpenSocket, OpenSockets, type ReadAccesses, rightOf } from './open-sockets.ts'
import type { SocketRoute } from './socket-routes.ts'

const MESSAGE_MAX_BYTES = 16 * 1024

/** The caps limit open sockets per network address, and per channel or workspace. */
type Deps = {
  identify: Identify
  public_url: string
  trust_proxy: boolean
  perAddress: Cap
  perTarget: Cap
  log: Logger
  socketRoutes: SocketRoute[]
  readAccesses: ReadAccesses
  /** Whether new sockets are refused, because they would be closed again soon. */
  draining: () => boolean
}

export type Upgrades = ReturnType<typeof createUpgrades>

export function createUpgrades(deps: Deps) {
  const {
    identify,
    public_url,
    trust_proxy,
    perAddress,
    perTarget,
    log,
    socketRoutes,
    readAccesses,
    draining,
  } = deps
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
  })
  const sockets = new OpenSockets(identify, readAccesses, log)

  async function openSocket(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const { changes } = sockets
    // First, so that many requests at once can't pass together. A connection always ends with `close`.
    const address = clientAddress(request, trust_proxy)
    stream.once('close', perAddress.take(address))
    const { url = '/', headers } = request
    if (!URL.canParse(url, 'http://localhost')) throw notFound()
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const route = socketRoutes.find(({ path }) => path.test(pathname))
    const name = route?.path.exec(pathname)?.[1]
    if (!route || name === undefined) throw notFound()
    const credentials = {
      cookies: isOwnOrigin(headers, public_url) ? headers.cookie : undefined,
      token: route.takes_keys ? searchParams.get('token') : null,
    }
    const known = await identify.bySocket(credentials)
    if (!known) throw unauthorized()
    const target = await route.find(name, userOf(known.identity))
    const { identity } = known
    const right = rightOf(target.access, identity, authorize(target.access, identity))
    // After the last wait: a socket that opened later would miss the drain.
    if (draining()) throw unavailable()
    if (stream.destroyed) return
    stream.once('close', perTarget.take(target.id))
    server.handleUpgrade(request, stream, head, socket => {
      const viewer = target.addViewer(socket, stream, right, receiverFor(known.identity, address))
      socket.once('close', sockets.add({ viewer, target, credentials, ...known }, changes))
    })
  }

  return {
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      stream.on('error', () => stream.destroy())
      openSocket(request, stream, head).catch(error => {
        const known = asApiError(error)
        if (known.code === 'internal_error') log.error({ err: error }, 'upgrade failed')
        sendError(stream, known)
      })
    },

    accessChanged: (applies: (socket: OpenSocket) => boolean) => sockets.accessChanged(applies),

    stop(): void {
      sockets.stop()
      server.close()
    },
  }
}

function sendError(stream: Duplex, { status, headers, ...error }: ApiError): void {
  const body = JSON.stringify(error.body)
  const lines = Object.entries({
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const response = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
  // A client that keeps its half of the connection open would keep the service from stopping.
  stream.end(response, () => stream.destroy())
}
