// A person reviews what an agent wants to do: approves it, edits its arguments, rejects it, or answers instead.
import type { FullDecision } from '../shared/decision.ts'
import { HIDDEN_CHARACTERS, shownText } from '../shared/shown-arguments.ts'
import { type AskOptions, ask } from './ask.ts'
import { InvalidRequestError } from './errors.ts'
import type { Requester } from './requester.ts'
import { type ActionArguments, enteredArguments, type ReviewForm, reviewForm } from './review-form.ts'
import type { AskAnswer } from './wait.ts'

const REVIEW_TYPES = ['approve', 'edit', 'reject', 'respond'] as const
export type ReviewType = (typeof REVIEW_TYPES)[number]
export type DefaultReview = 'approve' | 'edit' | 'reject'
const DEFAULT: readonly ReviewType[] = ['approve', 'edit', 'reject']

export type ReviewRequest<Allow extends ReviewType = ReviewType> = {
  /** The name of a tool, or a sentence. */
  action: string
  args: ActionArguments
  description?: string
  /** What the person may do. Default: `approve`, `edit` and `reject`. */
  allow?: readonly Allow[]
  /** A JSON Schema of `args`. An `enum` becomes a list of options. */
  schema?: object
} & Omit<AskOptions, 'question' | 'details' | 'fields' | 'blocks' | 'choices' | 'approves'>

type AnyReview = { decision: FullDecision } & (
  | { type: 'approve' }
  /** `args`: all of them, with the changes. */
  | { type: 'edit'; args: ActionArguments }
  | { type: 'reject'; message: string }
  | { type: 'respond'; message: string }
)

/** `reject` is possible even if it isn't allowed: a number that isn't one rejects the action. */
export type Review<Allow extends ReviewType> = Extract<AnyReview, { type: Allow | 'reject' }>

const BADGE = { type: 'badge', label: HIDDEN_CHARACTERS, variant: 'warning' } as const
const APPROVE = { id: 'approve', label: 'Approve', style: 'primary' } as const
const REJECT = { id: 'reject', label: 'Reject', style: 'danger', comment: 'optional' } as const
const RESPOND = { id: 'respond', label: 'Respond', style: 'secondary', comment: 'required' } as const

/** Throws like `ask`, and before it asks anything if the card can't show all arguments. */
export async function review(
  requester: Requester,
  channel_id: string,
  { action, args, description = '', allow = DEFAULT, schema = {}, ...options }: ReviewRequest,
): Promise<AnyReview> {
  if (allow.length === 0 || !allow.every(type => REVIEW_TYPES.includes(type)))
    throw new InvalidRequestError(null, `allow must name some of ${REVIEW_TYPES.join(', ')}`)
  const form = reviewForm(args, allow.includes('edit') ? schema : null)
  const title = shownText(action)
  const words = shownText(description)
  const hidden = title.hidden || words.hidden || form.hidden
  const may = (type: ReviewType) => allow.includes(type)
  const canApprove = may('approve') || may('edit')
  const answer = await ask(requester, channel_id, {
    ...options,
    blocks: [
      { type: 'text', content: title.text, size: 'lg', bold: true },
      ...(words.text === '' ? [] : [{ type: 'text' as const, content: words.text }]),
      ...(hidden ? [BADGE] : []),
      ...form.blocks,
    ],
    choices: [canApprove && APPROVE, may('reject') && REJECT, may('respond') && RESPOND].filter(
      choice => choice !== false,
    ),
    ...(!canApprove && { approves: null }),
  })
  return outcomeOf(answer, form, args, may('approve'))
}

/** `plain`: the action may go ahead as it is. */
function outcomeOf(answer: AskAnswer, form: ReviewForm, args: ActionArguments, plain: boolean): AnyReview {
  const { choice, comment, decision } = answer
  if (answer.approved && choice === APPROVE.id) {
    const entered = enteredArguments(form, args, answer.values)
    if ('problem' in entered) return { type: 'reject', message: entered.problem, decision }
    if (plain && !entered.changed) return { type: 'approve', decision }
    return { type: 'edit', args: entered.args, decision }
  }
  if (choice === RESPOND.id && comment !== null) return { type: 'respond', message: comment, decision }
  return { type: 'reject', message: comment ?? `${answer.by.name ?? 'Somebody'} rejected this`, decision }
}
