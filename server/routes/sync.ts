// /sync/{channelId}: lets viewers' sockets in, and closes them when they may no longer see the channel.
// Who is not let in is refused before the upgrade: older stock clients return at once after a close.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { CLOSE_FORBIDDEN, CLOSE_SIGNED_OUT } from '../../shared/close-codes.ts'
import { type Viewer as Asker, decideView } from '../auth/access.ts'
import type { Identify } from '../auth/identify.ts'
import { isOwnOrigin } from '../auth/origin.ts'
import type { AccessChange } from '../bus/bus.ts'
import type { Sql } from '../database/connect.ts'
import type { Feeds } from '../feed/feeds.ts'
import { Viewer } from '../feed/viewer.ts'
import { placeOfChannel } from '../model/channels.ts'
import { asUuid } from './request.ts'

/** Nothing that a viewer has to say is longer. */
const MESSAGE_MAX_BYTES = 16 * 1024
const CHECK_EXPIRY_MS = 1_000
/** Sessions slide, so an open socket is held against its session now and then. */
const CHECK_SESSIONS_MS = 300_000

const REASONS = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
} as const
type RefusalStatus = keyof typeof REASONS

/** What a viewer came with; judged again from this when rights change. */
type Credentials = { cookies: string | undefined; token: string | null }

type Watcher = {
  viewer: Viewer
  channel_id: string
  workspace_id: string
  credentials: Credentials
  asker: Asker
  /** When its key ends by itself, in milliseconds since 1970. */
  expires_at: number | null
}

export type SyncDeps = {
  sql: Sql
  identify: Identify
  feeds: Feeds
  public_url: string
  log: Logger
}

export function createSync(deps: SyncDeps) {
  const { sql, feeds, log } = deps
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
  })
  const watchers = new Set<Watcher>()
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

  async function admit(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
  ): Promise<RefusalStatus | null> {
    const began = changes
    if (!URL.canParse(request.url ?? '/', 'http://localhost')) return 404
    const url = new URL(request.url ?? '/', 'http://localhost')
    const channel_id = asUuid(/^\/sync\/([^/]+)\/?$/.exec(url.pathname)?.[1])
    if (channel_id === null) return 404
    const own = isOwnOrigin(request.headers, deps.public_url)
    const credentials = {
      cookies: own ? request.headers.cookie : undefined,
      token: url.searchParams.get('token'),
    }
    const known = await identify(credentials)
    if (!known) return 401
    const place = await placeOfChannel(sql, channel_id)
    if (!place) return 404
    const decision = decideView(place, known.asker)
    if (decision.refused) return decision.refused
    if (stream.destroyed) return null
    server.handleUpgrade(request, stream, head, socket => {
      const viewer = feeds.watch(channel_id, audience => new Viewer(socket, stream, audience))
      const watcher = { viewer, channel_id, workspace_id: place.workspace_id, credentials, ...known }
      watchers.add(watcher)
      socket.once('close', () => watchers.delete(watcher))
      if (changes !== began) judgeWhere(one => one === watcher)
    })
    return null
  }

  /** Judges an open socket as if it came now. */
  async function judge(watcher: Watcher): Promise<void> {
    const { viewer, channel_id, asker } = watcher
    const known = await identify(watcher.credentials)
    const ended = !known || (asker.kind === 'session' && known.asker.kind === 'anonymous')
    const place = await placeOfChannel(sql, channel_id)
    if (!place) return feeds.deleted(channel_id)
    const decision = known && decideView(place, known.asker)
    if (!decision) return viewer.close(CLOSE_SIGNED_OUT, 'Unauthorized')
    if (!decision.refused) return
    const signedOut = ended || decision.reason === 'Password required'
    viewer.close(signedOut ? CLOSE_SIGNED_OUT : CLOSE_FORBIDDEN, decision.reason)
  }

  function judgeWhere(applies: (watcher: Watcher) => boolean): void {
    for (const watcher of watchers) {
      if (!applies(watcher)) continue
      judge(watcher).catch(error => {
        log.warn({ err: error }, 'could not judge a viewer again')
        watcher.viewer.close(1011, 'try again')
      })
    }
  }

  const expiry = setInterval(() => {
    const now = Date.now()
    judgeWhere(({ expires_at }) => expires_at !== null && expires_at <= now)
  }, CHECK_EXPIRY_MS)
  const sessionCheck = setInterval(
    () => judgeWhere(({ asker }) => asker.kind === 'session'),
    CHECK_SESSIONS_MS,
  )

  return {
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      stream.on('error', () => stream.destroy())
      admit(request, stream, head)
        .catch((error): RefusalStatus => {
          log.error({ err: error }, 'upgrade failed')
          return 500
        })
        .then(status => {
          if (status !== null) refuse(stream, status)
        })
    },

    /** Rights changed, here or on another instance. */
    changed(change: AccessChange): void {
      changes++
      switch (change.kind) {
        case 'key_ended':
          return judgeWhere(({ asker }) => asker.kind === 'key' && asker.key_id === change.key_id)
        case 'session_ended':
          return judgeWhere(({ asker }) => asker.kind === 'session' && asker.session_id === change.session_id)
        case 'workspace_changed':
        case 'workspace_deleted':
          return judgeWhere(({ workspace_id }) => workspace_id === change.workspace_id)
        case 'channel_deleted':
          return feeds.deleted(change.channel_id)
      }
    },

    /** Changes may have been missed. */
    judgeAll(): void {
      changes++
      judgeWhere(() => true)
    },

    stop(): void {
      clearInterval(expiry)
      clearInterval(sessionCheck)
      server.close()
    },
  }
}

export type Sync = ReturnType<typeof createSync>

function refuse(stream: Duplex, status: RefusalStatus): void {
  const body = JSON.stringify({
    error: status === 404 ? 'Channel not found' : status === 403 ? 'Access denied' : REASONS[status],
  })
  stream.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
