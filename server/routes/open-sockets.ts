// The open sockets of this instance. A socket is checked again, as if it were opened now, when a change concerns it, when
// its key expires, and every five minutes if it belongs to a session.
import type { Logger } from 'pino'
import { CLOSE_FORBIDDEN, CLOSE_INTERNAL_ERROR, CLOSE_SIGNED_OUT } from '../../shared/close-codes.ts'
import { decideView } from '../auth/access.ts'
import type { Credentials, Identified, Identify } from '../auth/identify.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { Viewer } from '../feed/viewers.ts'
import type { SocketTarget } from './socket-routes.ts'

const CHECK_EXPIRY_MS = 1_000
/** Using a session extends it, so there is no fixed time at which its sockets expire. */
const CHECK_SESSIONS_MS = 300_000

export type OpenSocket = Identified & { viewer: Viewer; target: SocketTarget; credentials: Credentials }

export class OpenSockets {
  /** Counts access changes. A socket is checked again if one came between its check and `add`. */
  changes = 0
  readonly #identify: Identify
  readonly #log: Logger
  readonly #open = new Set<OpenSocket>()
  /** Sockets whose last check failed because the database was unavailable. The next tick checks them again. */
  readonly #toRetry = new Set<OpenSocket>()
  readonly #timers: NodeJS.Timeout[]

  constructor(identify: Identify, log: Logger) {
    this.#identify = identify
    this.#log = log
    this.#timers = [
      setInterval(() => this.#checkExpiry(), CHECK_EXPIRY_MS),
      setInterval(() => this.#checkWhere(({ identity }) => identity.kind === 'session'), CHECK_SESSIONS_MS),
    ]
  }

  /** `changes_before`: `changes` before the socket's access was checked. Returns the function that removes the socket. */
  add(socket: OpenSocket, changes_before: number): () => void {
    this.#open.add(socket)
    if (this.changes !== changes_before) this.#checkWhere(open => open === socket)
    return () => this.#open.delete(socket)
  }

  /** Checks the sockets to which the change applies, and those that are being opened. */
  accessChanged(applies: (socket: OpenSocket) => boolean): void {
    this.changes++
    this.#checkWhere(applies)
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #checkExpiry(): void {
    const now = Date.now()
    const retry = new Set(this.#toRetry)
    this.#toRetry.clear()
    this.#checkWhere(socket => retry.has(socket) || (socket.expires_at !== null && socket.expires_at <= now))
  }

  #checkWhere(applies: (socket: OpenSocket) => boolean): void {
    for (const socket of this.#open) {
      if (!applies(socket)) continue
      this.#check(socket).catch(error => {
        // Viewers stay while the database is unavailable.
        if (isUnavailable(error)) return void this.#toRetry.add(socket)
        this.#log.warn({ err: error }, 'could not check the access of a viewer')
        socket.viewer.close(CLOSE_INTERNAL_ERROR, 'try again')
      })
    }
  }

  async #check({ viewer, target, credentials, identity: before }: OpenSocket): Promise<void> {
    const now = await this.#identify.bySocket(credentials)
    const access = await target.readAccess()
    if (!access) return target.closeAll()
    if (!now) return viewer.close(CLOSE_SIGNED_OUT, 'Unauthorized')
    const decision = decideView(access, now.identity)
    if (decision.error === null) {
      const { access_version } = access
      return target.updateRight(viewer, { can_edit: decision.can_edit, access_version })
    }
    const sessionEnded = before.kind === 'session' && now.identity.kind === 'anonymous'
    const maySignInAgain = sessionEnded || decision.error === 'Password required'
    viewer.close(maySignInAgain ? CLOSE_SIGNED_OUT : CLOSE_FORBIDDEN, decision.error)
  }
}
