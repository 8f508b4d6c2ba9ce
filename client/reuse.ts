// Finds an earlier decision about the same question, for callers that accept one.
import type { FullDecision, FullDecisionList } from '../shared/decision.ts'
import type { SignedDecision } from '../shared/signed-decision.ts'
import { NotFoundError } from './errors.ts'
import { invalidInput, query, type Requester, segment } from './requester.ts'
import { type AskAnswer, answerOf, nameQuestion } from './wait.ts'

/** What is asked now. `blocks`: as they are sent; the last one has the question. */
type Asked = {
  key: string | null | undefined
  reuse_for: number
  blocks: object[]
  decision: { who?: FullDecision['who'] | string[] } & Partial<
    Pick<FullDecision, 'agents' | 'comment' | 'if_changed' | 'approves'>
  >
}

/** The newest decision with the key, if it is recent and was made about the same blocks. */
export async function earlierAnswer(
  requester: Requester,
  channel_id: string,
  { key, reuse_for, blocks, decision }: Asked,
  signal: AbortSignal | undefined,
): Promise<AskAnswer | null> {
  if (!key) throw invalidInput('reuse_for', 'needs a key')
  const list = `/channels/${segment(channel_id)}/decisions${query({ state: 'decided', key, limit: 1 })}`
  const { decisions } = await requester.request<FullDecisionList>('GET', list, undefined, { signal })
  const [latest] = decisions
  if (!latest?.ended_at) return null
  const age = requester.now() - Date.parse(latest.ended_at)
  if (!(age <= reuse_for * 1_000) || !isSameQuestion(decision, latest)) return null
  const { handle, path } = nameQuestion(channel_id, latest.id)
  const signed = await requester
    .request<SignedDecision>('GET', `${path}/signed`, undefined, { signal })
    .catch(nothingSigned)
  return signed?.card && isStoredAs(blocks, signed.card.blocks) ? answerOf(latest, handle) : null
}

/** Made before decisions were signed, so nobody knows what was on the card. */
function nothingSigned(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}

function isSameQuestion(now: Asked['decision'], before: FullDecision): boolean {
  const { who = 'anyone', agents = false, comment = 'none', if_changed, approves } = now
  const addresses = (list: FullDecision['who'] | string[]) =>
    Array.isArray(list) ? list.map(address => address.trim().toLowerCase()) : list
  return (
    isStoredAs(addresses(who), addresses(before.who)) &&
    agents === before.agents &&
    comment === before.comment &&
    if_changed === before.if_changed &&
    approves === before.approves
  )
}

/** Defaults that aren't empty, by field. Empty ones are false, '', null and []. */
const DEFAULTS = new Map<string, unknown>([
  ['size', 'md'],
  ['variant', 'default'],
  ['style', 'primary'],
  ['input_type', 'text'],
])

/** Whether the service stores the JSON value `sent` as `stored`: it adds ids and defaults, and spells out options. */
export function isStoredAs(sent: unknown, stored: unknown): boolean {
  if (Array.isArray(sent))
    return (
      Array.isArray(stored) &&
      sent.length === stored.length &&
      sent.every((item, i) => isStoredAs(item, stored[i]))
    )
  if (!isObject(stored)) return sent === stored
  if (typeof sent === 'string') return stored.value === sent && stored.label === sent
  if (!isObject(sent)) return false
  const names = new Set([...Object.keys(sent), ...Object.keys(stored)])
  // The question is compared apart: what is stored has more fields.
  names.delete('decision')
  return [...names].every(name => {
    if ((sent[name] ?? null) !== null) return isStoredAs(sent[name], stored[name])
    return name === 'id' || isDefault(name, stored[name] ?? null)
  })
}

function isDefault(name: string, value: unknown): boolean {
  if (value === false || value === '' || value === null) return true
  return (Array.isArray(value) && value.length === 0) || DEFAULTS.get(name) === value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
