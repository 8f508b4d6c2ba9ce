// What a viewer did, on its way to the server and on to the webhook: the record that is kept, and its rules. Pure.
import type { Value } from '../../../shared/card-state.ts'
import type { ViewerTrigger } from '../../../shared/interaction.ts'

/** What is posted. `values`: block id → what the viewer saw or entered there. */
export type ActBody = {
  interaction_id: string
  card_id: string | null
  trigger: ViewerTrigger
  values: Record<string, Value>
  /** When the viewer acted, ISO 8601. */
  timestamp: string
  /** The person chose to act by name. */
  as?: 'me'
}

/** Why an act that waits was not taken yet. null: it has not been tried, or is being sent. */
export type Trouble = 'unreachable' | 'busy' | 'signed-out'

export type Waiting =
  | { state: 'waiting'; trouble: Trouble | null }
  /** The server asked for a pause. `until`: when it ends (ms), kept over a reload. */
  | { state: 'waiting'; trouble: 'limited'; until: number }

export type Progress =
  | Waiting
  /** The server has it. `awaiting`: whether the webhook's outcome is still to come. */
  | { state: 'sent'; awaiting: boolean }
  | { state: 'delivered' }
  /** The webhook could not be delivered. */
  | { state: 'failed'; reason: string }
  /** The webhook is sent only if the channel's owner asks. */
  | { state: 'held' }
  /** The server did not take it, and never will. */
  | { state: 'refused'; reason: string }

export type Act = {
  interaction_id: string
  channel_id: string
  card_id: string | null
  type: ViewerTrigger['type']
  /** Where its way shows, by `placeOf`. */
  place: string
  /** The words on what was pressed; of a reply, its text. */
  label: string
  acted_at: string
  /** Dropped once the server has it or refused it: it may hold a password. */
  body: ActBody | null
  /** Whether a password is in it. */
  secret: boolean
  progress: Progress
}

/** A second click within this time is the end of a double click, however fast the first one went out. */
const DOUBLE_CLICK_MS = 800
/** No pause is longer. One that seems to be was written before the clock was put back. */
const PAUSE_MAX_MS = 600_000
/** How long it is shown that an act went well. */
const SHOWN_MS = 3_600_000

/** The place on the screen where an act was done: unique on its card, or in the channel where it has none. */
export function placeOf(trigger: ViewerTrigger): string {
  switch (trigger.type) {
    case 'button_click':
      return `button ${trigger.button_id}`
    case 'header_action':
      return `action ${trigger.action_id}`
    case 'input_change':
      return `block ${trigger.block_id}`
    case 'reply':
      return 'reply'
  }
}

/** Whether it is still to be seen what becomes of it. */
export function isMoving({ progress }: Act): boolean {
  return progress.state === 'waiting' || (progress.state === 'sent' && progress.awaiting)
}

/** How much of the pause that the server asked for is left. */
export function pauseLeft(progress: Progress, now: number): number {
  if (progress.state !== 'waiting' || progress.trouble !== 'limited') return 0
  const left = progress.until - now
  return left > PAUSE_MAX_MS ? 0 : Math.max(0, left)
}

/** Whether another click at the same place sends nothing. */
export function isOnItsWay(act: Act, now: number): boolean {
  const since = now - Date.parse(act.acted_at)
  // A clock that was put back since says nothing of how long ago it was.
  const justNow = since >= 0 && since < DOUBLE_CLICK_MS
  return isMoving(act) || (justNow && act.progress.state !== 'refused')
}

/** The server took it, and nothing about it asks for attention. */
export function wentWell({ progress }: Act): boolean {
  return progress.state === 'sent' || progress.state === 'delivered'
}

/** Whether nothing need be told of it any more. What failed or was refused stays until it is dismissed. */
export function isForgettable(act: Act, now: number): boolean {
  return wentWell(act) && now - Date.parse(act.acted_at) > SHOWN_MS
}

/** The next step of an act. What the server has, or refused, is not kept any longer. */
export function withProgress(act: Act, progress: Progress): Act {
  return { ...act, progress, body: progress.state === 'waiting' ? act.body : null }
}

export type AfterAttempt =
  | { next: 'refused'; reason: string }
  | { next: 'again'; trouble: Trouble }
  /** Tried again after the pause that the server asks for. */
  | { next: 'pause'; ms: number }
  /** Tried again when the viewer has signed in or unlocked the channel, not before. */
  | { next: 'hold'; trouble: Trouble }

/** What follows where an act was not taken. `status`: null where there was no answer. */
export function afterAttempt(status: number | null, reason: string, retry_after_ms?: number): AfterAttempt {
  if (status === null) return { next: 'again', trouble: 'unreachable' }
  if (status === 401) return { next: 'hold', trouble: 'signed-out' }
  if (status === 429 && retry_after_ms !== undefined)
    return { next: 'pause', ms: Math.min(retry_after_ms, PAUSE_MAX_MS) }
  const passing = status === 408 || status === 425 || status === 429 || status >= 500
  return passing ? { next: 'again', trouble: 'busy' } : { next: 'refused', reason }
}
