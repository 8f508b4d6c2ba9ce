// Sockets: who is let in, and who is closed when rights end. What they are opened on, the doors say.
// Who is not let in is refused before the upgrade: older stock clients return at once after a close.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import { CLOSE_FORBIDDEN, CLOSE_SIGNED_OUT } from '../../shared/close-codes.ts'
import { type Viewer as Asker, decideView, type Place } from '../auth/access.ts'
import type { Cap } from '../auth/caps.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { Identify } from '../auth/identify.ts'
import { letIn } from '../auth/let-in.ts'
import { isOwnOrigin } from '../auth/origin.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { type ApiError, asApiError, notFound, unauthorized } from '../errors.ts'
import type { Viewer } from '../feed/viewer.ts'
import type { Right } from '../live-workspace/live-workspace.ts'

/** Nothing that a viewer has to say is longer. */
const MESSAGE_MAX_BYTES = 16 * 1024
const CHECK_EXPIRY_MS = 1_000
/** Sessions slide, so an open socket is held against its session now and then. */
const CHECK_SESSIONS_MS = 300_000

/** A kind of address that sockets are opened on. */
export type Door = {
  /** Matches the path; the first group is the name of what is behind it. */
  path: RegExp
  /** Whether `?token=` with an API key opens it; cookies always count. */
  takes_keys: boolean
  /** Throws 404. */
  find(name: string): Promise<Room>
}

/** What a socket is opened on. */
export type Room = {
  /** That of the channel or the workspace. */
  id: string
  place: Place
  /** Asked again when rights change; null: it is gone. */
  readPlace(): Promise<Place | null>
  enter(socket: WebSocket, stream: Duplex, right: Right): Viewer
  /** The right of a viewer who stays was decided anew. */
  judged(viewer: Viewer, right: Right): void
  /** It is gone: closes all who are in it. */
  gone(): void
}

/** What a viewer came with; judged again from this when rights change. */
type Credentials = { cookies: string | undefined; token: string | null }

type Watcher = {
  viewer: Viewer
  room: Room
  credentials: Credentials
  asker: Asker
  /** When its key ends by itself, in milliseconds since 1970. */
  expires_at: number | null
}

export type UpgradeDeps = {
  identify: Identify
  public_url: string
  trust_proxy: boolean
  /** How many sockets may be open at once, for a network address and for a room. */
  perAddress: Cap
  perRoom: Cap
  log: Logger
  doors: Door[]
}

export type Upgrades = ReturnType<typeof createUpgrades>

export function createUpgrades(deps: UpgradeDeps) {
  const { doors, log } = deps
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
  })
  const watchers = new Set<Watcher>()
  /** Those that could not be judged while the database was away: they are judged again every second. */
  const unjudged = new Set<Watcher>()
  /** Changes of rights so far: who was being let in meanwhile is judged again. */
  let changes = 0

  async function identify({
    cookies,
    token,
  }: Credentials): Promise<{ asker: Asker; expires_at: number | null } | null> {
    if (token === null) return { asker: await deps.identify.byCookies(cookies), expires_at: null }
    const known = await deps.identify.byKey(token)
    return known && { asker: known.viewer, expires_at: known.key.expires_at }
  }

  /** Throws what the upgrade is to be answered with. */
  async function admit(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const began = changes
    // From the start, so that many requests at once cannot pass together. A connection always ends with `close`.
    stream.once('close', deps.perAddress.take(clientAddress(request, deps.trust_proxy)))
    if (!URL.canParse(request.url ?? '/', 'http://localhost')) throw notFound()
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const door = doors.find(({ path }) => path.test(pathname))
    const name = door?.path.exec(pathname)?.[1]
    if (!door || name === undefined) throw notFound()
    const credentials = {
      cookies: isOwnOrigin(request.headers, deps.public_url) ? request.headers.cookie : undefined,
      token: door.takes_keys ? searchParams.get('token') : null,
    }
    const known = await identify(credentials)
    if (!known) throw unauthorized()
    const room = await door.find(name)
    const { can_edit } = letIn(room.place, known.asker)
    const right = { can_edit, access_version: room.place.access_version }
    if (stream.destroyed) return
    stream.once('close', deps.perRoom.take(room.id))
    server.handleUpgrade(request, stream, head, socket => {
      const viewer = room.enter(socket, stream, right)
      const watcher = { viewer, room, credentials, ...known }
      watchers.add(watcher)
      socket.once('close', () => watchers.delete(watcher))
      if (changes !== began) judgeWhere(one => one === watcher)
    })
  }

  /** Judges an open socket as if it came now. */
  async function judge({ viewer, room, credentials, asker }: Watcher): Promise<void> {
    const known = await identify(credentials)
    const place = await room.readPlace()
    if (!place) return room.gone()
    if (!known) return viewer.close(CLOSE_SIGNED_OUT, 'Unauthorized')
    const decision = decideView(place, known.asker)
    if (!decision.refused) {
      const { access_version } = place
      return room.judged(viewer, { can_edit: decision.can_edit, access_version })
    }
    const ended = asker.kind === 'session' && known.asker.kind === 'anonymous'
    const signedOut = ended || decision.reason === 'Password required'
    viewer.close(signedOut ? CLOSE_SIGNED_OUT : CLOSE_FORBIDDEN, decision.reason)
  }

  function judgeWhere(applies: (watcher: Watcher) => boolean): void {
    for (const watcher of watchers) {
      if (!applies(watcher)) continue
      judge(watcher).catch(error => {
        // Viewers stay while the database is away.
        if (isUnavailable(error)) return void unjudged.add(watcher)
        log.warn({ err: error }, 'could not judge a viewer again')
        watcher.viewer.close(1011, 'try again')
      })
    }
  }

  const expiry = setInterval(() => {
    const now = Date.now()
    const again = new Set(unjudged)
    unjudged.clear()
    judgeWhere(watcher => again.has(watcher) || (watcher.expires_at !== null && watcher.expires_at <= now))
  }, CHECK_EXPIRY_MS)
  const sessionCheck = setInterval(
    () => judgeWhere(({ asker }) => asker.kind === 'session'),
    CHECK_SESSIONS_MS,
  )

  return {
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      stream.on('error', () => stream.destroy())
      admit(request, stream, head).catch(error => {
        const known = asApiError(error)
        if (!known) log.error({ err: error }, 'upgrade failed')
        refuse(stream, known)
      })
    },

    /** Access changed: checks these sockets again, and all that are being opened. */
    checkWhere(applies: (watcher: Watcher) => boolean): void {
      changes++
      judgeWhere(applies)
    },

    /** Lets nobody in any more: 503. */
    stop(): void {
      clearInterval(expiry)
      clearInterval(sessionCheck)
      server.close()
    },
  }
}

/** `error`: null for a fault of ours. */
function refuse(stream: Duplex, error: ApiError | null): void {
  const { status, message, headers, extra } = error ?? { status: 500, message: 'Internal server error' }
  const body = JSON.stringify({ error: message, ...extra })
  const lines = Object.entries({
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
  // The other side need not close its half: the connection would stay, and a stop wait for it.
  stream.end(answer, () => stream.destroy())
}
