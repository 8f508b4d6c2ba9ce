// The rules of questions: what becomes of a block's decision when a request says something about it. Pure: the
// turn writes the result.
import { randomUUID } from 'node:crypto'
import type { BlockOf } from '../../shared/block.ts'
import type { DecisionRequest } from '../../shared/card.ts'
import type { Decision } from '../../shared/decision.ts'
import { ABANDON_RULE, WHO_RULE } from '../../shared/decision.ts'
import { withAbandon } from '../../shared/decision-rules.ts'
import { fieldName, Invalid } from '../../shared/invalid.ts'
import { decisionRefused, questionEnded } from '../errors.ts'
import type { Asker, DecisionDetails, DecisionRecord } from './rows.ts'

type ButtonBlock = BlockOf<'button'>

/** The questions in a request, and who sent it. `accounts`: user ids by listed address. `request`: see `DecisionDetails`. */
export type Inquiry = {
  asker: Asker
  questions: DecisionRequest[]
  accounts: ReadonlyMap<string, string>
  request: string | null
}

/** The block as it will be, without its decision, and the request's context. `now`: ISO 8601. */
export type QuestionContext = {
  channel_id: string
  card_id: string
  block: ButtonBlock
  inquiry: Pick<Inquiry, 'asker' | 'accounts' | 'request'>
  now: string
  /** The form of a decision in a refusal. */
  shown: (decision: Decision) => object
}

/** The block's decision so far. `record` may be gone once it ended. */
export type CurrentDecision = { decision: Decision; record: DecisionRecord | undefined }

const AHEAD_MAX_MS = 366 * 24 * 3_600_000

/** Opens a question. `before`: an ended one whose settings stay, unless the request replaces them. */
export function openQuestion(
  context: QuestionContext,
  request: DecisionRequest,
  before?: CurrentDecision,
): DecisionRecord {
  const { channel_id, card_id, block, inquiry, now } = context
  const { settings, listed } = settingsOf(context, request, before, false)
  return {
    channel_id,
    card_id,
    block_id: block.id,
    decision: inOrder({ ...settings, id: randomUUID(), asked_at: now }),
    details: {
      choices: choicesOf(block),
      asker: inquiry.asker,
      listed,
      request: inquiry.request,
      answer: null,
    },
    jws: null,
  }
}

/** PATCH: the decision that the block gets. A request may patch a block several times, one after the other. */
export function patchQuestions(
  context: QuestionContext,
  requests: DecisionRequest[],
  current: CurrentDecision | null,
): DecisionRecord | undefined {
  let patched = current
  for (const request of requests) {
    const record = patchQuestion(context, request, patched)
    patched = { decision: record.decision, record }
  }
  return patched?.record
}

function patchQuestion(
  context: QuestionContext,
  request: Omit<DecisionRequest, 'block_id'>,
  current: CurrentDecision | null,
): DecisionRecord {
  const { path, settings } = request
  const at = { ...request, block_id: context.block.id }
  if (!current) return openQuestion(context, at)
  const { decision } = current
  if (settings.reopen) {
    if (decision.state === 'waiting') return withChoices(current, context.block)
    const passed = decision.expires_at !== null && decision.expires_at <= context.now
    if (passed && settings.expires_at === undefined && settings.expires_in === undefined)
      throw new Invalid([...path, 'expires_at'], 'is required to reopen', 'field_required')
    return openQuestion(context, at, current)
  }
  if (decision.state !== 'waiting') throw ended(context, path, decision)
  return changed(context, at, current, false)
}

/** PUT: the fate of a block's decision. `replaced`: the old question, cancelled. `next`: null if nothing changes. */
export function putQuestion(
  context: QuestionContext,
  request: DecisionRequest,
  current: CurrentDecision | null,
): { replaced: DecisionRecord | null; next: DecisionRecord | null } {
  const { path, settings } = request
  const id = settings.id ?? null
  if (id !== null && id.toLowerCase() !== current?.decision.id)
    throw decisionRefused('asked_again', current && context.shown(current.decision))
  if (!current) return { replaced: null, next: openQuestion(context, request) }
  const { decision } = current
  const key = settings.key ?? null
  const waits = decision.state === 'waiting'
  if (id === null && key !== null && key !== decision.key)
    return {
      replaced: waits ? cancelled(current, 'replaced', context.now) : null,
      next: openQuestion(context, request),
    }
  if (waits) return { replaced: null, next: changed(context, request, current, true) }
  if (id === null && key === null) throw ended(context, path, decision)
  return { replaced: null, next: null }
}

/** The question as it ends. Waiting questions always have their record. */
export function cancelled(
  current: CurrentDecision,
  reason: NonNullable<Decision['reason']>,
  now: string,
): DecisionRecord {
  const record = waitingRecord(current)
  const decision: Decision = { ...current.decision, state: 'cancelled', ended_at: now, reason }
  return { ...record, card_id: reason === 'deleted' ? null : record.card_id, decision }
}

export function expiredQuestion(current: CurrentDecision): DecisionRecord {
  const { decision } = current
  const ended: Decision = { ...decision, state: 'expired', ended_at: decision.expires_at }
  return { ...waitingRecord(current), decision: ended }
}

function waitingRecord({ decision, record }: CurrentDecision): DecisionRecord {
  if (!record) throw new Error(`the waiting decision ${decision.id} has no row`)
  return record
}

/** The waiting question, with the block's buttons as they are now. */
export function withChoices(current: CurrentDecision, block: ButtonBlock): DecisionRecord {
  const record = waitingRecord(current)
  return { ...record, details: { ...record.details, choices: choicesOf(block) } }
}

const choicesOf = ({ buttons }: ButtonBlock): DecisionDetails['choices'] =>
  buttons.map(({ id, label, style }) => ({ id, label, style }))

function changed(
  context: QuestionContext,
  request: DecisionRequest,
  current: CurrentDecision,
  replace: boolean,
) {
  const record = waitingRecord(current)
  const { settings, listed } = settingsOf(context, request, current, replace)
  const decision = { ...withAbandon(current.decision), ...settings }
  const details = { ...record.details, choices: choicesOf(context.block), listed }
  if (replace) details.request = context.inquiry.request
  return { ...record, decision, details }
}

function ended({ shown }: QuestionContext, path: DecisionRequest['path'], decision: Decision) {
  return questionEnded(fieldName(path), shown(decision))
}

type Settings = Pick<
  Decision,
  'key' | 'expires_at' | 'who' | 'agents' | 'comment' | 'if_changed' | 'approves' | 'abandon'
>

/** `replace`: missing fields get their defaults, but the key stays, and only `expires_at` changes the deadline. */
function settingsOf(
  context: QuestionContext,
  { path, settings: sent }: Pick<DecisionRequest, 'path' | 'settings'>,
  current: CurrentDecision | undefined,
  replace: boolean,
): { settings: Settings; listed: DecisionDetails['listed'] } {
  const before = current?.decision
  const kept = replace ? undefined : before
  // An automation that repeats its PUT must not put the deadline off each time.
  const deadline = replace ? { ...sent, expires_in: undefined } : sent
  const { who, listed } = whoOf(context, { path, settings: sent }, current, replace)
  const approves = sent.approves === undefined ? (kept?.approves ?? null) : sent.approves
  if (approves !== null && !context.block.buttons.some(({ id }) => id === approves))
    throw new Invalid([...path, 'approves'], 'must be the id of one of its buttons')
  const settings: Settings = {
    key: sent.key === undefined ? (before?.key ?? null) : sent.key,
    expires_at: deadlineOf({ path, settings: deadline }, before?.expires_at ?? null, context.now),
    who,
    agents: sent.agents ?? kept?.agents ?? false,
    comment: sent.comment ?? kept?.comment ?? 'none',
    if_changed: sent.if_changed ?? kept?.if_changed ?? 'accept',
    approves,
    abandon: abandonOf(context, { path, settings: sent }, current, replace),
  }
  return { settings, listed }
}

/** Only the requests of an API key show whether the asker is still there. */
function abandonOf(
  { inquiry }: QuestionContext,
  { path, settings: sent }: Pick<DecisionRequest, 'path' | 'settings'>,
  current: CurrentDecision | undefined,
  replace: boolean,
): Decision['abandon'] {
  const { asker: caller } = inquiry
  const before = current?.decision
  const is_open = before?.state === 'waiting'
  const asker = (is_open && current?.record?.details.asker) || caller
  const abandon = sent.abandon ?? (replace ? undefined : before?.abandon) ?? 'keep'
  // A client may send back what it read.
  if (abandon === 'keep' || (is_open && before.abandon === abandon)) return abandon
  if (asker.api_key_id !== null && caller.api_key_id !== null) return abandon
  // A session that asks an abandoned question again takes over its other settings.
  if (sent.abandon === undefined) return 'keep'
  throw new Invalid([...path, 'abandon'], ABANDON_RULE)
}

function whoOf(
  { inquiry }: QuestionContext,
  { path, settings: sent }: Pick<DecisionRequest, 'path' | 'settings'>,
  current: CurrentDecision | undefined,
  replace: boolean,
): { who: Decision['who']; listed: DecisionDetails['listed'] } {
  const before = current?.decision.who
  const who = sent.who ?? (replace ? undefined : before) ?? 'anyone'
  if (who === 'listed') {
    const listed = current?.record?.details.listed
    if (before !== 'listed' || !listed) throw new Invalid([...path, 'who'], WHO_RULE)
    return { who: 'listed', listed }
  }
  if (!Array.isArray(who)) return { who, listed: null }
  const listed = who.map((email, i) => {
    const user_id = inquiry.accounts.get(email)
    if (user_id === undefined) throw new Invalid([...path, 'who', i], 'has no account')
    return { email, user_id }
  })
  return { who: 'listed', listed }
}

function deadlineOf(
  { path, settings: { expires_at, expires_in } }: Pick<DecisionRequest, 'path' | 'settings'>,
  before: string | null,
  now: string,
): string | null {
  const now_ms = Date.parse(now)
  if (typeof expires_in === 'number') return new Date(now_ms + expires_in * 1_000).toISOString()
  if (typeof expires_at !== 'string') return expires_at === null || expires_in === null ? null : before
  const at = Date.parse(expires_at)
  if (at <= now_ms) throw new Invalid([...path, 'expires_at'], 'must be in the future')
  if (at > now_ms + AHEAD_MAX_MS) throw new Invalid([...path, 'expires_at'], 'must be at most 366 days ahead')
  return new Date(at).toISOString()
}

/** A waiting decision, with the fields in the order of the contract. */
function inOrder({ id, asked_at, ...settings }: Settings & { id: string; asked_at: string }): Decision {
  const { key, expires_at, who, agents, comment, if_changed, approves, abandon } = settings
  const first = { id, key, state: 'waiting' as const, asked_at, expires_at, who, agents, comment, if_changed }
  return { ...first, approves, abandon, ended_at: null, reason: null, outcome: null }
}
