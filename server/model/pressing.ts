// Judges a press on a button, against the card as it is in the channel's turn. Pure.
import type { BlockOf } from '../../shared/block.ts'
import type { DecidedBy, Decision } from '../../shared/decision.ts'
import { isOverdue } from '../../shared/decision-rules.ts'
import { filledValue, isInput } from '../../shared/form-block.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import { publicIdOf } from '../../shared/public-id.ts'
import type { Role } from '../../shared/role.ts'
import { personKind, refusalToDecide } from '../auth/access.ts'
import { Overdue } from '../decisions/end-question.ts'
import { type DecisionRecord, fullForm } from '../decisions/rows.ts'
import { apiError, decisionRefused, invalid, notFound } from '../errors.ts'
import type { Judged, PressPlace } from '../feed/turn/mutation.ts'
import { checkClick } from './interaction-rules.ts'

/** `role`: in the channel's workspace. `name`: of the account. `named`: the person shows their name. */
export type Presser = {
  kind: 'person'
  user_id: string | null
  name: string | null
  role: Role | null
  named: boolean
}
export type Agent = { kind: 'agent'; api_key_id: string; name: string }

export type Press = {
  interaction_id: string
  button_id: string
  /** The question that the presser saw; null: the current one. */
  decision_id: string | null
  comment: string | undefined
  values: Record<string, unknown>
  /** The card's `updated_at` as the presser saw it. */
  seen: string | null
  /** When the presser pressed. */
  timestamp: string
  by: Presser | Agent
  public_url: string
}

/** Throws the first refusal, in the contract's order. */
export function judgePress(press: Press, { card, head, now, record }: PressPlace): Judged {
  if (!card) throw notFound('Card')
  const block = card.blocks.find(
    (block): block is BlockOf<'button'> =>
      block.type === 'button' && block.buttons.some(({ id }) => id === press.button_id),
  )
  const button = block?.buttons.find(({ id }) => id === press.button_id)
  if (!block || !button) throw notFound('Button')
  if (head.mode !== 'interactive') throw apiError('channel_not_interactive')
  const shownOf = (record: DecisionRecord) => shownTo(press, record)
  if (!block.decision) {
    if (press.decision_id !== null) throw refusalOfGone(record(press.decision_id), shownOf)
    return ordinaryClick(press, card)
  }
  const current = record(block.decision.id)
  const { decision } = block
  const shown = current ? shownOf(current) : decision
  checkPresser(press, decision, current, shown)
  if (press.decision_id !== null && press.decision_id !== decision.id) throw askedAgain(shown)
  // Nobody may learn of an expiry that isn't written: on an instance whose clock is behind, a press could still win.
  if (isOverdue(decision, Date.parse(now))) throw new Overdue(card.id, decision.id)
  if (decision.state !== 'waiting') throw pressRefusal(decision, shown)
  if (!current) throw new Error(`the waiting decision ${decision.id} has no row`)
  const { disabled: _, ...logged } = clickOn(press, card, button.disabled)
  const comment = commentOf(press.comment, button.comment ?? decision.comment)
  checkSeen(press, card.updated_at, decision, shown)
  const filled = card.blocks
    .filter(isInput)
    .map(one => [one.id, filledValue(one, logged.card.values)] as const)
  const by = decidedBy(press, decision)
  const outcome = {
    button_id: button.id,
    label: button.label,
    by,
    comment,
    timestamp: press.timestamp,
    act: publicIdOf(press.interaction_id),
  }
  const answer = {
    interaction_id: press.interaction_id,
    user_id: press.by.kind === 'person' && by.kind !== 'anonymous' ? press.by.user_id : null,
    api_key_id: press.by.kind === 'agent' ? press.by.api_key_id : null,
    values: Object.fromEntries(filled),
    seen: press.seen,
    card_updated_at: card.updated_at,
  }
  const decided: DecisionRecord = {
    ...current,
    decision: { ...decision, state: 'decided', ended_at: now, outcome },
    details: { ...current.details, answer },
  }
  return { logged, decided }
}

function ordinaryClick(press: Press, card: NonNullable<PressPlace['card']>): Judged {
  const { disabled, ...logged } = checkClick(card, press.button_id, press.values)
  if (disabled) throw apiError('button_disabled')
  return { logged, decided: null }
}

function clickOn(press: Press, card: NonNullable<PressPlace['card']>, disabled: boolean) {
  if (disabled) throw apiError('button_disabled')
  return checkClick(card, press.button_id, press.values)
}

function checkPresser({ by }: Press, decision: Decision, current: DecisionRecord | undefined, shown: object) {
  // Without its row, the question has ended, which is said instead.
  if (by.kind === 'agent' && !current) return
  const listed = current?.details.listed?.map(({ user_id }) => user_id) ?? []
  const asker_key = current?.details.asker.api_key_id ?? null
  const refusal = refusalToDecide({ ...decision, listed, asker_key }, by)
  if (refusal !== null) throw decisionRefused(refusal, shown)
}

function checkSeen({ seen }: Press, updated_at: string, { if_changed }: Decision, shown: object): void {
  if (if_changed === 'accept') return
  if (seen === null) throw invalid('seen', REQUIRED)
  if (Date.parse(seen) !== Date.parse(updated_at)) throw decisionRefused('card_changed', shown)
}

function commentOf(given: string | undefined, rule: Decision['comment']): string | null {
  const comment = given === undefined || given.trim() === '' ? null : given
  if (comment === null && rule === 'required') throw invalid('comment', REQUIRED)
  if (comment !== null && rule === 'none') throw invalid('comment', 'is not asked for')
  return comment
}

/** A decision that isn't for everybody records the name in any case. */
function decidedBy({ by }: Press, { who }: Decision): DecidedBy {
  if (by.kind === 'agent') return { kind: 'agent', name: by.name }
  if (by.user_id === null || (who === 'anyone' && !by.named)) return { kind: 'anonymous', name: null }
  return { kind: personKind(by.role), name: by.name }
}

const askedAgain = (shown: object | null) => decisionRefused('asked_again', shown)

/** The block asks nothing any more: what became of the question that the press names. */
function refusalOfGone(gone: DecisionRecord | undefined, shownOf: (record: DecisionRecord) => object) {
  return gone && gone.decision.state !== 'waiting'
    ? pressRefusal(gone.decision, shownOf(gone))
    : askedAgain(null)
}

export function pressRefusal({ state }: Decision, shown: object) {
  if (state === 'decided') return decisionRefused('already_decided', shown)
  if (state === 'expired') return decisionRefused('expired', shown)
  return decisionRefused('cancelled', shown)
}

/** Agents see the full form, people the public one. */
function shownTo({ by, public_url }: Press, record: DecisionRecord): object {
  return by.kind === 'agent' ? fullForm(record, public_url) : record.decision
}
