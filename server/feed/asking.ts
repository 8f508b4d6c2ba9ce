// Asking, changing and asking again: what becomes of a block's decision when a request says something about it. Pure: the
// turn writes the result.
import { randomUUID } from 'node:crypto'
import type { BlockOf } from '../../shared/block.ts'
import type { DecisionRequest } from '../../shared/card.ts'
import type { AskedDecision, Decision } from '../../shared/decision.ts'
import { WHO_RULE } from '../../shared/decision.ts'
import { fieldName, Invalid } from '../../shared/invalid.ts'
import { decisionRefused, questionEnded } from '../errors.ts'
import type { DecisionDetails, DecisionRecord } from './decision-rows.ts'
import type { Asking } from './mutation.ts'

type ButtonBlock = BlockOf<'button'>

/** The block as it will be, without its decision, and the request's context. `now`: ISO 8601. */
export type AskContext = {
  channel_id: string
  card_id: string
  block: ButtonBlock
  asking: Pick<Asking, 'by' | 'accounts' | 'request'>
  now: string
  /** The form of a decision in a refusal. */
  shown: (decision: Decision) => object
}

/** The block's decision so far. `record` may be gone once it ended. */
export type Current = { decision: Decision; record: DecisionRecord | undefined }

const AHEAD_MAX_MS = 366 * 24 * 3_600_000

/** Opens a question. `before`: an ended one whose settings stay, unless the request replaces them. */
export function open(
  context: AskContext,
  { path, asked }: DecisionRequest,
  before?: Current,
): DecisionRecord {
  const { channel_id, card_id, block, asking, now } = context
  const { settings, listed } = settingsOf(context, { path, asked }, before, false)
  return {
    channel_id,
    card_id,
    block_id: block.id,
    decision: inOrder({ ...settings, id: randomUUID(), asked_at: now }),
    details: {
      choices: choicesOf(block),
      asker: asking.by,
      listed,
      request: asking.request,
      answer: null,
    },
  }
}

/** PATCH: the decision that the block gets. A request may patch a block several times, one after the other. */
export function patchQuestions(
  context: AskContext,
  questions: DecisionRequest[],
  current: Current | null,
): DecisionRecord | undefined {
  let patched = current
  for (const question of questions) {
    const record = patchQuestion(context, question, patched)
    patched = { decision: record.decision, record }
  }
  return patched?.record
}

function patchQuestion(
  context: AskContext,
  question: Omit<DecisionRequest, 'block_id'>,
  current: Current | null,
): DecisionRecord {
  const { path, asked } = question
  const at = { ...question, block_id: context.block.id }
  if (!current) return open(context, at)
  const { decision } = current
  if (asked.reopen) {
    if (decision.state === 'waiting') return withChoices(current, context.block)
    const passed = decision.expires_at !== null && decision.expires_at <= context.now
    if (passed && asked.expires_at === undefined && asked.expires_in === undefined)
      throw new Invalid([...path, 'expires_at'], 'is required to reopen', 'field_required')
    return open(context, at, current)
  }
  if (decision.state !== 'waiting') throw ended(context, path, decision)
  return changed(context, at, current, false)
}

/** PUT: the fate of a block's decision. `replaced`: the old question, cancelled. `next`: null if nothing changes. */
export function putQuestion(
  context: AskContext,
  question: DecisionRequest,
  current: Current | null,
): { replaced: DecisionRecord | null; next: DecisionRecord | null } {
  const { path, asked } = question
  const id = asked.id ?? null
  if (id !== null && id.toLowerCase() !== current?.decision.id)
    throw decisionRefused('asked_again', current && context.shown(current.decision))
  if (!current) return { replaced: null, next: open(context, question) }
  const { decision } = current
  const key = asked.key ?? null
  const waits = decision.state === 'waiting'
  if (id === null && key !== null && key !== decision.key)
    return {
      replaced: waits ? cancelled(current, 'replaced', context.now) : null,
      next: open(context, question),
    }
  if (waits) return { replaced: null, next: changed(context, question, current, true) }
  if (id === null && key === null) throw ended(context, path, decision)
  return { replaced: null, next: null }
}

/** The question as it ends. Waiting questions always have their record. */
export function cancelled(
  current: Current,
  reason: NonNullable<Decision['reason']>,
  now: string,
): DecisionRecord {
  const record = waitingRecord(current)
  const decision: Decision = { ...current.decision, state: 'cancelled', ended_at: now, reason }
  return { ...record, card_id: reason === 'deleted' ? null : record.card_id, decision }
}

export function waitingRecord({ decision, record }: Current): DecisionRecord {
  if (!record) throw new Error(`the waiting decision ${decision.id} has no row`)
  return record
}

/** The waiting question, with the block's buttons as they are now. */
export function withChoices(current: Current, block: ButtonBlock): DecisionRecord {
  const record = waitingRecord(current)
  return { ...record, details: { ...record.details, choices: choicesOf(block) } }
}

const choicesOf = ({ buttons }: ButtonBlock): DecisionDetails['choices'] =>
  buttons.map(({ id, label, style }) => ({ id, label, style }))

function changed(context: AskContext, question: DecisionRequest, current: Current, replace: boolean) {
  const record = waitingRecord(current)
  const { settings, listed } = settingsOf(context, question, current, replace)
  const decision = { ...current.decision, ...settings }
  const details = { ...record.details, choices: choicesOf(context.block), listed }
  if (replace) details.request = context.asking.request
  return { ...record, decision, details }
}

function ended({ shown }: AskContext, path: DecisionRequest['path'], decision: Decision) {
  return questionEnded(fieldName(path), shown(decision))
}

type Settings = Pick<
  Decision,
  'key' | 'expires_at' | 'who' | 'agents' | 'comment' | 'if_changed' | 'approves'
>

/** `replace`: missing fields get their defaults, but the key stays, and only `expires_at` changes the deadline. */
function settingsOf(
  context: AskContext,
  { path, asked }: Pick<DecisionRequest, 'path' | 'asked'>,
  current: Current | undefined,
  replace: boolean,
): { settings: Settings; listed: DecisionDetails['listed'] } {
  const before = current?.decision
  const kept = replace ? undefined : before
  // An automation that repeats its PUT must not put the deadline off each time.
  const deadline = replace ? { ...asked, expires_in: undefined } : asked
  const { who, listed } = whoOf(context, { path, asked }, current, replace)
  const approves = asked.approves === undefined ? (kept?.approves ?? null) : asked.approves
  if (approves !== null && !context.block.buttons.some(({ id }) => id === approves))
    throw new Invalid([...path, 'approves'], 'must be the id of one of its buttons')
  const settings: Settings = {
    key: asked.key === undefined ? (before?.key ?? null) : asked.key,
    expires_at: deadlineOf({ path, asked: deadline }, before?.expires_at ?? null, context.now),
    who,
    agents: asked.agents ?? kept?.agents ?? false,
    comment: asked.comment ?? kept?.comment ?? 'none',
    if_changed: asked.if_changed ?? kept?.if_changed ?? 'accept',
    approves,
  }
  return { settings, listed }
}

function whoOf(
  { asking }: AskContext,
  { path, asked }: Pick<DecisionRequest, 'path' | 'asked'>,
  current: Current | undefined,
  replace: boolean,
): { who: Decision['who']; listed: DecisionDetails['listed'] } {
  const before = current?.decision.who
  const asks = asked.who ?? (replace ? undefined : before) ?? 'anyone'
  if (asks === 'listed') {
    const listed = current?.record?.details.listed
    if (before !== 'listed' || !listed) throw new Invalid([...path, 'who'], WHO_RULE)
    return { who: 'listed', listed }
  }
  if (!Array.isArray(asks)) return { who: asks, listed: null }
  const listed = asks.map((email, i) => {
    const user_id = asking.accounts.get(email)
    if (user_id === undefined) throw new Invalid([...path, 'who', i], 'has no account')
    return { email, user_id }
  })
  return { who: 'listed', listed }
}

function deadlineOf(
  { path, asked: { expires_at, expires_in } }: { path: DecisionRequest['path']; asked: AskedDecision },
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
  const { key, expires_at, who, agents, comment, if_changed, approves } = settings
  const asked = { id, key, state: 'waiting' as const, asked_at, expires_at, who, agents, comment, if_changed }
  return { ...asked, approves, ended_at: null, reason: null, outcome: null }
}
