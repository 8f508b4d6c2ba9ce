// What a question shows in each of its states: the words, which buttons can be pressed, and the viewer's own presses. Pure.
import type { Decision } from '../../../shared/decision.ts'
import { isOverdue } from '../../../shared/decision-rules.ts'
import type { Look } from '../../../shared/looks.ts'
import { isAwaiting, isVisible, isWaiting, type LocalInteraction } from '../../data/outbox/interaction.ts'
import { statusText } from '../../data/outbox/interaction-text.ts'
import {
  peopleWords,
  refusedWords,
  type ShownPress,
  type Words,
  waitingWords,
  whoWords,
} from '../../data/outbox/press-text.ts'
import type { Permission } from './may-decide.ts'

export type Note = {
  press: LocalInteraction
  words: Words
  /** What the viewer can do about it. A changed card is chosen again instead. */
  way: 'Take back' | 'Dismiss' | null
}

export type DecisionView = {
  state: 'waiting' | 'sending' | 'queued' | 'decided' | 'expired' | 'cancelled'
  buttons: 'active' | 'inactive' | 'sign_in'
  /** The id of the button that was chosen, or that is being sent. */
  chosen: string | null
  /** The outcome, and when it came. Null while the question waits. */
  outcome: { words: Words; isMine: boolean; at: string; comment: string | null } | null
  /** This device's press decided. */
  isSentHere: boolean
  /** Beside the buttons of a waiting question. */
  facts: { kind: 'deadline' | 'who' | 'you' | 'agent' | 'offline'; words: Words }[]
  /** Instead of the facts, while the press is on its way. */
  sending: Words | null
  notes: Note[]
  /** My press, whose delivery is still of interest. Without a webhook there is none. */
  delivery: LocalInteraction | null
}

export type Situation = {
  /** As the channel's document has it. */
  decision: Decision
  /** The viewer's presses on the block's buttons, oldest first. */
  presses: LocalInteraction[]
  isMine: (press: ShownPress) => boolean
  /** Whether this device sent the press with this public id. */
  isSentHere: (act: string) => boolean
  permission: Permission
  /** The names of the people that the question lists; empty if the viewer may not see them. */
  chosen: string[]
  /** The viewer's name, if pressing shows it. */
  name: string | null
  /** The channel is for viewing only. */
  readOnly: boolean
  offline: boolean
  /** Undefined if the asker never looked at the question, or the page doesn't know. */
  look: Look | undefined
  /** By the server's clock (ms). */
  now: number
}

const WHO: Record<Decision['who'], string | null> = {
  anyone: null,
  signed_in: 'Only signed-in people can decide',
  members: 'Only members can decide',
  owner: 'Only the owner can decide',
  listed: 'Only chosen people can decide',
}

export function decisionView(situation: Situation): DecisionView {
  const { presses } = situation
  const decision = newest(situation.decision, presses)
  const pending = presses.findLast(press => isOnItsWay(press, decision))
  const waiting = decision.state === 'waiting'
  const state = waiting ? stateWhileWaiting(pending) : decision.state
  const outcome = outcomeOf(decision, situation.isMine)
  const isSentHere = decision.outcome !== null && situation.isSentHere(decision.outcome.act)
  /** The document may show the outcome before the press has its answer. */
  const hasCounted = (press: LocalInteraction) =>
    isSentHere && isWaiting(press) && isOf(press, decision) && buttonOf(press) === decision.outcome?.button_id
  return {
    state,
    buttons: waiting && !pending ? buttonsOf(situation, decision) : 'inactive',
    chosen: decision.outcome?.button_id ?? (waiting && pending ? buttonOf(pending) : null),
    outcome,
    isSentHere,
    facts: waiting && !pending ? factsOf(situation, decision) : [],
    sending: state === 'sending' ? [{ name: pending?.label ?? '' }, ': sending…'] : null,
    notes: presses.flatMap(press => (hasCounted(press) ? [] : (noteOf(press, decision) ?? []))),
    delivery: isSentHere ? deliveryOf(situation, decision) : null,
  }
}

/** The server's answer to a press may be newer than the document. */
export function newest(decision: Decision, presses: LocalInteraction[]): Decision {
  let found = decision
  for (const { decision: answered } of presses) {
    if (!answered) continue
    const isLater = Date.parse(answered.asked_at) > Date.parse(found.asked_at)
    const hasEnded = answered.id === found.id && found.state === 'waiting' && answered.state !== 'waiting'
    if (isLater || hasEnded) found = answered
  }
  return found
}

/** Whether the press is of the question: those of older versions of the app name none. */
const isOf = (press: LocalInteraction, { id }: Decision) => (press.decision_id ?? id) === id

const isOnItsWay = (press: LocalInteraction, decision: Decision) =>
  isOf(press, decision) &&
  (isWaiting(press) ||
    // It counts, but neither the document nor the answer has the outcome.
    (press.decision_id !== undefined && !['refused', 'hidden'].includes(press.progress.state)))

function stateWhileWaiting(pending: LocalInteraction | undefined): 'waiting' | 'sending' | 'queued' {
  if (!pending) return 'waiting'
  return pending.progress.state === 'waiting' && pending.progress.trouble !== null ? 'queued' : 'sending'
}

const buttonOf = ({ place }: LocalInteraction) => place.replace(/^button /, '')

function buttonsOf({ permission, readOnly, now }: Situation, decision: Decision): DecisionView['buttons'] {
  if (permission === 'sign_in') return 'sign_in'
  return permission === 'yes' && !readOnly && !isOverdue(decision, now) ? 'active' : 'inactive'
}

function outcomeOf(decision: Decision, isMine: Situation['isMine']): DecisionView['outcome'] {
  const at = decision.ended_at ?? decision.expires_at ?? decision.asked_at
  switch (decision.state) {
    case 'waiting':
      return null
    case 'expired':
      return { words: ['Closed without a decision'], isMine: false, at, comment: null }
    case 'cancelled': {
      const words = decision.reason === 'abandoned' ? 'The agent stopped waiting' : 'No longer needed'
      return { words: [words], isMine: false, at, comment: null }
    }
    case 'decided': {
      if (!decision.outcome) return { words: ['Decided'], isMine: false, at, comment: null }
      const { by, label, comment } = decision.outcome
      const mine = isMine(decision.outcome)
      return { words: [whoWords(by, mine), ' chose ', { name: label }], isMine: mine, at, comment }
    }
  }
}

function factsOf(
  { offline, look, name, now, permission, chosen }: Situation,
  decision: Decision,
): DecisionView['facts'] {
  const facts: DecisionView['facts'] = []
  const { expires_at } = decision
  if (expires_at !== null)
    facts.push({ kind: 'deadline', words: [closes(Date.parse(expires_at) - now, offline)] })
  const who = WHO[decision.who]
  if (who !== null) facts.push({ kind: 'who', words: chosen.length > 0 ? waitingFor(chosen) : [who] })
  const canPress = who !== null && permission === 'yes'
  if (canPress && name !== null) facts.push({ kind: 'you', words: ['You act as ', { name }] })
  if (look && !offline) facts.push({ kind: 'agent', words: [agentWords(look, decision, now)] })
  if (offline) facts.push({ kind: 'offline', words: ['You are offline, so this may have changed'] })
  return facts
}

const waitingFor = (names: string[]): Words => ['Waiting for ', ...peopleWords(names.map(name => ({ name })))]

function agentWords({ waiting, looked_at }: Look, { abandon }: Decision, now: number): string {
  if (waiting) return 'An agent is waiting'
  if (abandon === 'cancel') return 'The agent has left. This closes soon.'
  const ago = now - Date.parse(looked_at)
  return `An agent last looked ${ago < MINUTE ? 'just now' : `${span(ago)} ago`}`
}

/** `left` in milliseconds. Online, the outcome arrives a moment after the deadline. */
export function closes(left: number, offline = false): string {
  if (left <= 0) return offline ? 'The deadline has passed' : 'Closing…'
  return `Closes in ${left < MINUTE ? `${Math.ceil(left / 1_000)} s` : span(left)}`
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A minute or more, in milliseconds. */
function span(ms: number): string {
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`
  const days = Math.floor(ms / DAY)
  return days === 1 ? '1 day' : `${days} days`
}

function noteOf(press: LocalInteraction, decision: Decision): Note | null {
  const isOpen = decision.state === 'waiting' && isOf(press, decision)
  const { progress } = press
  if (progress.state === 'refused') {
    const words = refusedWords(press) ?? [{ name: press.label }, `: ${statusText(press)}`]
    if (progress.failure.code !== 'card_changed') return { press, words, way: 'Dismiss' }
    return isOpen ? { press, words, way: null } : null
  }
  const words = waitingWords(press, isOpen)
  if (!words || progress.state !== 'waiting') return null
  if (progress.trouble !== null) return { press, words, way: 'Take back' }
  // A waiting question says so beside its buttons.
  return isOpen ? null : { press, words, way: null }
}

function deliveryOf({ presses, now }: Situation, decision: Decision): LocalInteraction | null {
  const mine = presses.findLast(press => isOf(press, decision) && press.decision !== undefined)
  switch (mine?.progress.state) {
    case 'failed':
    case 'held':
      return mine
    case 'sent':
      return isAwaiting(mine) ? mine : null
    case 'delivered':
      return isVisible(mine, now) ? mine : null
    default:
      return null
  }
}
