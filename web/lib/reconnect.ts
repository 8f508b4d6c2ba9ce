// Decides when to reconnect. These functions are pure; reconnect-loop.ts adds the timers and the browser's events.
import type { ChannelFeedError } from '../../client/errors.ts'
import {
  CLOSE_DELETED,
  CLOSE_FORBIDDEN,
  CLOSE_LOST_TIMELINE,
  CLOSE_RESTART,
  CLOSE_SIGNED_OUT,
} from '../../shared/close-codes.ts'

export type Refusal = 'signed-out' | 'forbidden' | 'missing' | 'password'

export type Link =
  | { state: 'connecting' | 'live' | 'reconnecting' | 'offline' }
  /** The server answers, but its socket doesn't open: the page reads over HTTP. */
  | { state: 'blocked' }
  | { state: 'refused'; refusal: Refusal }

export type AfterClose =
  | { next: 'refused'; refusal: Refusal }
  | { next: 'start-over' | 'retry'; delay_ms: number }

/** Whether the page shows what the server has, at once or within seconds. */
export const isUpToDate = ({ state }: Link) => state === 'live' || state === 'blocked'

const FIRST_DELAY_MS = 300
const LONGEST_DELAY_MS = 8_000
/** An instance that restarts sends all its viewers away. The page calls a connection lost after 4 s. */
const RESTART_SPREAD_MS = 3_000

/** Code 4401: the session ended or a password is required. The next request tells which, so it follows at once. */
export function afterClose(code: number, failures: number, chance: number): AfterClose {
  switch (code) {
    case CLOSE_SIGNED_OUT:
      return { next: 'retry', delay_ms: 0 }
    case CLOSE_FORBIDDEN:
      return { next: 'refused', refusal: 'forbidden' }
    case CLOSE_DELETED:
      return { next: 'refused', refusal: 'missing' }
    case CLOSE_LOST_TIMELINE:
      return { next: 'start-over', delay_ms: failures === 0 ? 0 : delayFor(failures, chance) }
    case CLOSE_RESTART:
      return {
        next: 'retry',
        delay_ms: failures === 0 ? Math.round(RESTART_SPREAD_MS * chance) : delayFor(failures, chance),
      }
    default:
      return { next: 'retry', delay_ms: delayFor(failures, chance) }
  }
}

/** Doubles from 0.3 s to 8 s, plus or minus half, so that viewers don't reconnect all at once. */
export function delayFor(failures: number, chance: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures, 10), LONGEST_DELAY_MS)
  return Math.round(delay * (0.5 + chance))
}

/** How long a socket may take until everything has arrived. A proxy may keep it waiting for ever. */
export const openWithin = (failures: number) => Math.min(6_000 + 4_000 * failures, 14_000)

/** Why an error response denies access; null for errors that may pass (429, 500). */
export function accessRefusal({ status, code }: Pick<ChannelFeedError, 'status' | 'code'>): Refusal | null {
  if (status === 401) return code === 'password_required' ? 'password' : 'signed-out'
  if (status === 403) return 'forbidden'
  return status === 404 ? 'missing' : null
}
