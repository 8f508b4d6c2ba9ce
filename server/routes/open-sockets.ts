// The open sockets of this instance. When access changes, each is checked again as if it were opened now.
import type { Logger } from 'pino'
import { CLOSE_FORBIDDEN, CLOSE_SIGNED_OUT } from '../../shared/close-codes.ts'
import { decideView } from '../auth/access.ts'
import type { Identified, Identify } from '../auth/identify.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { Viewer } from '../feed/viewers.ts'
import { type Credentials, identifySocket, type SocketTarget } from './socket-routes.ts'

const CHECK_EXPIRY_MS = 1_000
/** Using a session extends it, so there is no fixed time at which its sockets expire. */
const CHECK_SESSIONS_MS = 300_000

export type OpenSocket = Identified & { viewer: Viewer; target: SocketTarget; credentials: Credentials }

export class OpenSockets {
  /** Counts access changes: a socket that is opened during one is checked again. */
  changes = 0
  readonly #identify: Identify
  readonly #log: Logger
  readonly #open = new Set<OpenSocket>()
  /** Sockets to check again every second, because the database was unavailable. */
  readonly #unchecked = new Set<OpenSocket>()
  readonly #timers: NodeJS.Timeout[]

  constructor(identify: Identify, log: Logger) {
    this.#identify = identify
    this.#log = log
    this.#timers = [
      setInterval(() => this.#checkExpiry(), CHECK_EXPIRY_MS),
      setInterval(() => this.#checkWhere(({ identity }) => identity.kind === 'session'), CHECK_SESSIONS_MS),
    ]
  }

  add(socket: OpenSocket, changes: number): () => void {
    this.#open.add(socket)
    if (this.changes !== changes) this.#checkWhere(open => open === socket)
    return () => this.#open.delete(socket)
  }

  accessChanged(applies: (socket: OpenSocket) => boolean): void {
    this.changes++
    this.#checkWhere(applies)
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #checkExpiry(): void {
    const now = Date.now()
    const again = new Set(this.#unchecked)
    this.#unchecked.clear()
    this.#checkWhere(socket => again.has(socket) || (socket.expires_at !== null && socket.expires_at <= now))
  }

  #checkWhere(applies: (socket: OpenSocket) => boolean): void {
    for (const socket of this.#open) {
      if (!applies(socket)) continue
      this.#check(socket).catch(error => {
        // Viewers stay while the database is unavailable.
        if (isUnavailable(error)) return void this.#unchecked.add(socket)
        this.#log.warn({ err: error }, 'could not check the access of a viewer')
        socket.viewer.close(1011, 'try again')
      })
    }
  }

  async #check({ viewer, target, credentials, identity }: OpenSocket): Promise<void> {
    const known = await identifySocket(this.#identify, credentials)
    const access = await target.readAccess()
    if (!access) return target.closeAll()
    if (!known) return viewer.close(CLOSE_SIGNED_OUT, 'Unauthorized')
    const decision = decideView(access, known.identity)
    if (decision.error === null) {
      const { access_version } = access
      return target.updateRight(viewer, { can_edit: decision.can_edit, access_version })
    }
    const ended = identity.kind === 'session' && known.identity.kind === 'anonymous'
    const signedOut = ended || decision.error === 'Password required'
    viewer.close(signedOut ? CLOSE_SIGNED_OUT : CLOSE_FORBIDDEN, decision.error)
  }
}
