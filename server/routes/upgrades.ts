// Opens WebSockets for viewers with access, and closes them when their access ends. Errors are sent before the upgrade:
// older stock clients reconnect at once after a close.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { authorize } from '../auth/access.ts'
import type { Cap } from '../auth/caps.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { Identify } from '../auth/identify.ts'
import { isOwnOrigin } from '../auth/origin.ts'
import { type ApiError, asApiError, notFound, unauthorized } from '../errors.ts'
import { type OpenSocket, OpenSockets } from './open-sockets.ts'
import { identifySocket, type SocketRoute } from './socket-route.ts'

/** Viewers send nothing longer. */
const MESSAGE_MAX_BYTES = 16 * 1024

export type UpgradeDeps = {
  identify: Identify
  public_url: string
  trust_proxy: boolean
  /** How many sockets may be open at once per network address, and per channel or workspace. */
  perAddress: Cap
  perTarget: Cap
  log: Logger
  socketRoutes: SocketRoute[]
}

export type Upgrades = ReturnType<typeof createUpgrades>

export function createUpgrades(deps: UpgradeDeps) {
  const { log } = deps
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
  })
  const sockets = new OpenSockets(deps.identify, log)

  return {
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      stream.on('error', () => stream.destroy())
      openSocket(deps, server, sockets, { request, stream, head }).catch(error => {
        const known = asApiError(error)
        if (!known) log.error({ err: error }, 'upgrade failed')
        sendError(stream, known)
      })
    },

    checkWhere: (applies: (socket: OpenSocket) => boolean) => sockets.accessChanged(applies),

    /** Opens no more sockets: 503. */
    stop(): void {
      sockets.stop()
      server.close()
    },
  }
}

type Upgrade = { request: IncomingMessage; stream: Duplex; head: Buffer }

/** Throws the error that is sent instead of the upgrade. */
async function openSocket(
  deps: UpgradeDeps,
  server: WebSocketServer,
  sockets: OpenSockets,
  { request, stream, head }: Upgrade,
): Promise<void> {
  const { changes } = sockets
  // First, so that many requests at once can't pass together. A connection always ends with `close`.
  stream.once('close', deps.perAddress.take(clientAddress(request, deps.trust_proxy)))
  if (!URL.canParse(request.url ?? '/', 'http://localhost')) throw notFound()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const route = deps.socketRoutes.find(({ path }) => path.test(pathname))
  const name = route?.path.exec(pathname)?.[1]
  if (!route || name === undefined) throw notFound()
  const credentials = {
    cookies: isOwnOrigin(request.headers, deps.public_url) ? request.headers.cookie : undefined,
    token: route.takes_keys ? searchParams.get('token') : null,
  }
  const known = await identifySocket(deps.identify, credentials)
  if (!known) throw unauthorized()
  const target = await route.find(name)
  const { can_edit } = authorize(target.place, known.identity)
  const right = { can_edit, access_version: target.place.access_version }
  if (stream.destroyed) return
  stream.once('close', deps.perTarget.take(target.id))
  server.handleUpgrade(request, stream, head, socket => {
    const viewer = target.enter(socket, stream, right)
    const remove = sockets.add({ viewer, target, credentials, ...known }, changes)
    socket.once('close', remove)
  })
}

/** `error`: null for an internal error. */
function sendError(stream: Duplex, error: ApiError | null): void {
  const { status, message, headers, extra } = error ?? { status: 500, message: 'Internal server error' }
  const body = JSON.stringify({ error: message, ...extra })
  const lines = Object.entries({
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const response = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
  // The client may keep its half open: then the connection would stay, and the service couldn't stop.
  stream.end(response, () => stream.destroy())
}
