// Decides what follows when the socket closes or an attempt fails. Pure: it takes the attempt and the chance.
import {
  CLOSE_DELETED,
  CLOSE_FORBIDDEN,
  CLOSE_LOST_TIMELINE,
  CLOSE_SIGNED_OUT,
} from '../../shared/close-codes.ts'

export type Refusal = 'signed-out' | 'forbidden' | 'missing' | 'password'

export type AfterClose =
  | { next: 'ask-again' }
  | { next: 'refused'; refusal: Refusal }
  | { next: 'start-over'; delay_ms: number }
  | { next: 'retry'; delay_ms: number }

const FIRST_DELAY_MS = 300
const LONGEST_DELAY_MS = 8_000

/**
 * `attempt` counts the failures in a row, from 0; `chance` is 0 to 1. 4401 says that the session ended or that a
 * password is asked now: only the view knows which.
 */
export function afterClose(code: number, attempt: number, chance: number): AfterClose {
  switch (code) {
    case CLOSE_SIGNED_OUT:
      return { next: 'ask-again' }
    case CLOSE_FORBIDDEN:
      return { next: 'refused', refusal: 'forbidden' }
    case CLOSE_DELETED:
      return { next: 'refused', refusal: 'missing' }
    case CLOSE_LOST_TIMELINE:
      return { next: 'start-over', delay_ms: attempt === 0 ? 0 : delayFor(attempt, chance) }
    default:
      return { next: 'retry', delay_ms: delayFor(attempt, chance) }
  }
}

/** Doubles from 0.3 s to 8 s, and spreads each by half either way, so that viewers do not come back in step. */
export function delayFor(attempt: number, chance: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt, 10), LONGEST_DELAY_MS)
  return Math.round(delay * (0.5 + chance))
}

/** What a refused request says about the channel; null where it says nothing (429, 500). */
export function refusalOf(status: number | null, message: string): Refusal | null {
  if (status === 401) return message === 'Password required' ? 'password' : 'signed-out'
  if (status === 403) return 'forbidden'
  return status === 404 ? 'missing' : null
}
