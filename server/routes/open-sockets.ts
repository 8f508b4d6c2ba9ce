// The open sockets of this instance. A socket is checked again, as if it were opened now, when a change concerns it, when
// its key expires, and every five minutes if it belongs to a session.
import type { Logger } from 'pino'
import { CLOSE_FORBIDDEN, CLOSE_INTERNAL_ERROR, CLOSE_SIGNED_OUT } from '../../shared/close-codes.ts'
import { decideView, type Identity, userOf, type WorkspaceAccess } from '../auth/access.ts'
import type { Credentials, Identified, Identify } from '../auth/identify.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { ViewerSocket } from '../feed/viewers/viewers.ts'
import type { Right } from '../live-workspace/live-workspace.ts'
import type { AskedAccess } from '../model/workspaces.ts'
import type { SocketTarget } from './socket-routes.ts'

const CHECK_EXPIRY_MS = 1_000
/** Using a session extends it, so there is no fixed time at which its sockets expire. */
const CHECK_SESSIONS_MS = 300_000
/** How many sockets are checked together, with two queries. */
const AT_ONCE = 200

export type OpenSocket = Identified & { viewer: ViewerSocket; target: SocketTarget; credentials: Credentials }
/** In their order. Undefined if the target is deleted. */
export type ReadAccesses = (asked: AskedAccess[]) => Promise<(WorkspaceAccess | undefined)[]>

export class OpenSockets {
  /** Counts access changes. A socket is checked again if one came between its check and `add`. */
  changes = 0
  readonly #identify: Pick<Identify, 'bySockets'>
  readonly #readAccesses: ReadAccesses
  readonly #log: Logger
  readonly #open = new Set<OpenSocket>()
  /** Sockets to be checked, by the owner of their target. A change during a check puts its sockets back. */
  readonly #due = new Map<string, Set<OpenSocket>>()
  #checking = false
  /** Sockets whose last check failed because the database was unavailable. The next tick checks them again. */
  readonly #toRetry = new Set<OpenSocket>()
  readonly #timers: NodeJS.Timeout[]

  constructor(identify: Pick<Identify, 'bySockets'>, readAccesses: ReadAccesses, log: Logger) {
    this.#identify = identify
    this.#readAccesses = readAccesses
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
      const { owner_id } = socket.target.access
      const due = this.#due.get(owner_id) ?? new Set()
      this.#due.set(owner_id, due.add(socket))
    }
    if (!this.#checking) void this.#checkDue()
  }

  /** One batch at a time, so that no owner's changes occupy the database. */
  async #checkDue(): Promise<void> {
    this.#checking = true
    while (this.#due.size > 0) await this.#check(this.#nextBatch())
    this.#checking = false
  }

  /** Owners take turns, with equal shares of a batch. */
  #nextBatch(): OpenSocket[] {
    const batch: OpenSocket[] = []
    const share = Math.ceil(AT_ONCE / Math.max(1, this.#due.size))
    for (const [owner_id, due] of [...this.#due]) {
      if (batch.length >= AT_ONCE) break
      const sockets = [...due].slice(0, share)
      for (const socket of sockets) due.delete(socket)
      batch.push(...sockets.filter(socket => this.#open.has(socket)))
      // What remains goes to the end.
      this.#due.delete(owner_id)
      if (due.size > 0) this.#due.set(owner_id, due)
    }
    return batch
  }

  async #check(batch: OpenSocket[]): Promise<void> {
    try {
      const asked = batch.map(({ target, identity }) => ({ id: target.id, user_id: userOf(identity) }))
      const [identified, accesses] = await Promise.all([
        this.#identify.bySockets(batch.map(({ credentials }) => credentials)),
        this.#readAccesses(asked),
      ])
      for (const [i, socket] of batch.entries()) decide(socket, identified[i] ?? null, accesses[i])
    } catch (error) {
      // Viewers stay while the database is unavailable.
      if (isUnavailable(error)) return batch.forEach(socket => void this.#toRetry.add(socket))
      this.#log.warn({ err: error }, 'could not check the access of viewers')
      for (const { viewer } of batch) viewer.close(CLOSE_INTERNAL_ERROR, 'try again')
    }
  }
}

export const rightOf = (
  { access_version }: WorkspaceAccess,
  identity: Identity,
  { role, can_edit, can_act }: Omit<Right, 'access_version' | 'user_id'>,
): Right => ({ user_id: userOf(identity), role, can_edit, can_act, access_version })

function decide(
  { viewer, target, identity: before }: OpenSocket,
  now: Identified | null,
  access: WorkspaceAccess | undefined,
): void {
  if (!access) return target.closeAll()
  if (!now) return viewer.close(CLOSE_SIGNED_OUT, 'unauthorized')
  const sessionEnded = before.kind === 'session' && now.identity.kind === 'anonymous'
  // Signing out also ends the unlocks of the browser.
  const identity: Identity = sessionEnded ? { kind: 'anonymous', unlocked: new Map() } : now.identity
  const decision = decideView(access, identity)
  if (decision.error === null) return target.updateRight(viewer, rightOf(access, identity, decision))
  const maySignInAgain = sessionEnded || decision.error === 'password_required'
  viewer.close(maySignInAgain ? CLOSE_SIGNED_OUT : CLOSE_FORBIDDEN, decision.error)
}
