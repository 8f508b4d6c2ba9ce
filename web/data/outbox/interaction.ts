// An interaction in this browser, from the click until the webhook's outcome is known, and its rules. Pure.
import type { ChannelFeedError } from '../../../client/errors.ts'
import type { Decision } from '../../../shared/decision.ts'
import type { Value } from '../../../shared/form-block.ts'
import type { CreateInteractionBody, ViewerTrigger } from '../../../shared/interaction.ts'
import { type Failure, failureOf } from '../../lib/error-text.ts'

/** Why the last try failed. */
export type Trouble = 'unreachable' | 'busy' | 'signed-out'

export type Waiting =
  /** Without trouble: not tried yet, or being sent. */
  | { state: 'waiting'; trouble: Trouble | null }
  /** The server asked for a pause. `until`: its end (ms), which survives a reload. `daily`: the owner's limit of the day is used up. */
  | { state: 'waiting'; trouble: 'limited'; until: number; daily?: true }

export type InteractionProgress =
  | Waiting
  /** The server stored it. `awaiting`: the webhook's outcome isn't known yet. */
  | { state: 'sent'; awaiting: boolean }
  | { state: 'delivered' | 'held' }
  /** `delivery`: the delivery's error. `failure`: the server didn't send it again. */
  | { state: 'failed'; delivery: string }
  | { state: 'failed'; failure: Failure }
  | { state: 'refused'; failure: Failure }
  /** Taken back or dismissed. A press is kept, so that the page recognises it if it decided nevertheless. */
  | { state: 'hidden' }

/** Stored in IndexedDB. Older versions of the app wrote the same fields, except for `OldProgress`. */
export type LocalInteraction = {
  interaction_id: string
  channel_id: string
  card_id: string | null
  type: ViewerTrigger['type']
  /** The control that sent it, by `controlOf`. */
  place: string
  /** The button's label, or a reply's text. */
  label: string
  acted_at: string
  /** Dropped once the server stored or rejected it: it may hold a password. */
  body: (CreateInteractionBody & { values: Record<string, Value> }) | null
  secret: boolean
  progress: InteractionProgress
  /** The question that a press answers. */
  decision_id?: string
  /** That question, or the one asked after it, as the server's answer to the press had it. */
  decision?: Decision
}

/** As version 0.2 wrote it, with the server's words in place of its code. */
type OldProgress = { state: 'refused'; reason: string; code?: string } | { state: 'failed'; reason: string }

/** An interaction as a browser has it, whatever version of the app wrote it. */
export type StoredInteraction = Omit<LocalInteraction, 'progress'> & {
  progress: InteractionProgress | OldProgress
}

export function fromStored({ progress, ...interaction }: StoredInteraction): LocalInteraction {
  if (!('reason' in progress)) return { ...interaction, progress }
  const { reason } = progress
  if (progress.state === 'failed') return { ...interaction, progress: { state: 'failed', delivery: reason } }
  const failure = failureOf({ message: reason, code: progress.code })
  return { ...interaction, progress: { state: 'refused', failure } }
}

/** A second click within this time belongs to a double click, even if the first one is already sent. */
const DOUBLE_CLICK_MS = 800
/** The longest pause. A longer one was saved before the clock was set back. */
const PAUSE_MAX_MS = 600_000
const VISIBLE_MS = 3_600_000
/** A press on a decision's button, by which the page says “You chose”, and a reply, which its sender can read again. */
const KEPT_MS = 30 * 86_400_000

/** Identifies a control on its card, or in the channel's header. */
export function controlOf(trigger: ViewerTrigger): string {
  if (trigger.type === 'button_click') return `button ${trigger.button_id}`
  if (trigger.type === 'header_action') return `action ${trigger.action_id}`
  if (trigger.type === 'input_change') return `block ${trigger.block_id}`
  return trigger.type satisfies 'reply'
}

export const isWaiting = ({ progress }: LocalInteraction) => progress.state === 'waiting'

export const isAwaiting = ({ progress }: LocalInteraction) => progress.state === 'sent' && progress.awaiting

export const isPending = (interaction: LocalInteraction) => isWaiting(interaction) || isAwaiting(interaction)

export function pauseLeft(progress: InteractionProgress, now: number): number {
  if (progress.state !== 'waiting' || progress.trouble !== 'limited') return 0
  const left = progress.until - now
  return left > PAUSE_MAX_MS ? 0 : Math.max(0, left)
}

export function blocksRepeat(interaction: LocalInteraction, now: number): boolean {
  const since = now - Date.parse(interaction.acted_at)
  // A negative time means that the clock was set back.
  const justNow = since >= 0 && since < DOUBLE_CLICK_MS
  return isPending(interaction) || (justNow && interaction.progress.state !== 'refused')
}

export const wentWell = ({ progress }: LocalInteraction) =>
  progress.state === 'sent' || progress.state === 'delivered'

export const isVisible = (interaction: LocalInteraction, now: number) =>
  now - Date.parse(interaction.acted_at) <= VISIBLE_MS

/** Failures stay until the viewer dismisses them, except that the card changed: the viewer chooses again. */
export function isExpired(interaction: LocalInteraction, now: number): boolean {
  const { progress, decision_id, acted_at, type } = interaction
  const isHidden = progress.state === 'hidden'
  if (progress.state === 'refused' && progress.failure.code === 'card_changed')
    return !isVisible(interaction, now)
  if (!wentWell(interaction) && !isHidden) return false
  const isKept = decision_id !== undefined || type === 'reply'
  return isKept ? now - Date.parse(acted_at) > KEPT_MS : !isVisible(interaction, now)
}

/** The list of sent replies has it. */
export const isFinishedReply = (interaction: LocalInteraction) =>
  interaction.type === 'reply' && wentWell(interaction) && !isAwaiting(interaction)

/** `decision`: as the server's answer had it. */
export function withProgress(
  interaction: LocalInteraction,
  progress: InteractionProgress,
  decision?: Decision,
): LocalInteraction {
  // It was taken back while it was being sent.
  if (interaction.progress.state === 'hidden' && progress.state === 'waiting') return interaction
  const body = progress.state === 'waiting' ? interaction.body : null
  return { ...interaction, progress, body, ...(decision && { decision }) }
}

export type AfterError =
  | { next: 'refused'; failure: Failure; decision?: Decision }
  | { next: 'retry'; trouble: Trouble }
  | { next: 'pause'; ms: number; daily: boolean }
  /** Retry after the viewer signed in or unlocked the channel. */
  | { next: 'hold'; trouble: Trouble }

export function afterError(error: Failure & Pick<ChannelFeedError, 'status' | 'body'>): AfterError {
  const { status, code, retry_after, body } = error
  if (status === null) return { next: 'retry', trouble: 'unreachable' }
  if (status === 401) return { next: 'hold', trouble: 'signed-out' }
  if (status === 429 && retry_after !== undefined)
    return {
      next: 'pause',
      ms: Math.min(retry_after * 1_000, PAUSE_MAX_MS),
      daily: code === 'daily_byte_limit',
    }
  const isPassing = status === 408 || status === 425 || status === 429 || status >= 500
  if (isPassing) return { next: 'retry', trouble: 'busy' }
  const { decision } = body
  return { next: 'refused', failure: failureOf(error), ...(decision && { decision }) }
}
