// A kind of address that WebSockets are opened on, and what such a socket is opened on: a channel or a workspace.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Identity, WorkspaceAccess } from '../auth/access.ts'
import type { Identify } from '../auth/identify.ts'
import type { Viewer } from '../feed/viewer.ts'
import type { Right } from '../live-workspace/live-workspace.ts'

export type SocketRoute = {
  /** Matches the path; the first group names the channel or workspace. */
  path: RegExp
  /** Whether an API key in `?token=` is accepted; cookies always are. */
  takes_keys: boolean
  /** Throws 404. */
  find(name: string): Promise<SocketTarget>
}

export type SocketTarget = {
  /** The id of the channel or workspace. */
  id: string
  place: WorkspaceAccess
  /** Read again when access changes; null: the target is gone. */
  readPlace(): Promise<WorkspaceAccess | null>
  enter(socket: WebSocket, stream: Duplex, right: Right): Viewer
  /** The access of a viewer who stays was decided again. */
  judged(viewer: Viewer, right: Right): void
  /** The target is gone: closes all of its viewers. */
  gone(): void
}

/** What a socket was opened with. Kept, so that its access can be checked again. */
export type Credentials = { cookies: string | undefined; token: string | null }

/** `expires_at`: when the key expires, in milliseconds since 1970. */
export type Identified = { identity: Identity; expires_at: number | null }

/** null: the key is unknown. */
export async function identifySocket(
  identify: Identify,
  { cookies, token }: Credentials,
): Promise<Identified | null> {
  if (token === null) return { identity: await identify.byCookies(cookies), expires_at: null }
  const known = await identify.byKey(token)
  return known && { identity: known.identity, expires_at: known.key.expires_at }
}
