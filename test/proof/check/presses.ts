// D4 and D5: a press answers the question that the person saw, counts once however often it is repeated, and its sender is
// told whether it counted, as the model says. D5 for questions too: a key is in use only while its question waits.

import { groupBy } from '../group.ts'
import { isKnown } from '../load/request.ts'
import { judge, type Press, type Question, type Standing, type Verdict } from '../model/questions.ts'
import { KEY_IN_USE } from '../model/refusals.ts'
import type { Files, Finding } from './files.ts'
import { isAcknowledged, type Operation, operationsOf } from './operations.ts'
import { type Asked, formsIn, questionsOf } from './questions.ts'
import { includes } from './replay.ts'

type Known = {
  questions: Map<string, Asked>
  /** By card, in the order of the log. */
  ofCard: Map<string, Asked[]>
  /** Cards that were deleted. */
  deleted: Set<string>
  operations: Operation[]
}

export function checkPresses({ tried, turns }: Pick<Files, 'tried' | 'turns'>): Finding[] {
  const questions = questionsOf(turns)
  const operations = operationsOf(tried)
  const known: Known = {
    questions,
    ofCard: groupBy([...questions.values()], ({ card_id }) => card_id),
    deleted: new Set(
      turns.flatMap(({ events }) =>
        (events ?? []).flatMap(({ type, data }) => (type === 'card.deleted' ? [data.id] : [])),
      ),
    ),
    operations,
  }
  return [
    ...operations.flatMap(one => {
      if (one.request.kind === 'press') return checkPress(one.request, one, known)
      return one.request.kind === 'post' && one.request.question ? checkAsk(one, known) : []
    }),
    ...checkAskedOnce(known),
  ]
}

function checkPress(press: Press, { tries }: Operation, { questions, ofCard, deleted }: Known): Finding[] {
  const wrong = (promise: string, what: string) => [{ promise, message: `press ${press.op} ${what}` }]
  const decided = [...questions.values()].filter(({ ends }) =>
    ends.some(({ decision }) => decision.outcome?.interaction_id === press.interaction_id),
  )
  const [won, more] = decided
  if (won && more) return wrong('D4', `decided ${decided.map(({ id }) => id).join(' and ')}`)
  if (won && won.id !== press.decision_id) return wrong('D4', `of ${press.decision_id} decided ${won.id}`)
  const question = questions.get(press.decision_id)
  const answers = tries.flatMap(({ answer }) => (isKnown(answer) ? [answer] : []))
  return answers.flatMap(({ status, body }) => {
    const text = `got ${status} ${JSON.stringify(body)}`
    if (status === 200 || status === 201) {
      if (!won) return wrong('D1', `${text}, and decided nothing`)
      const [form] = formsIn(body)
      return form?.id === won.id && form.outcome?.button_id === press.button ? [] : wrong('D4', text)
    }
    if (won) return wrong('D5', `decided, and ${text}`)
    const later = (ofCard.get(press.card_id)?.findIndex(({ id }) => id === press.decision_id) ?? -1) + 1
    const is_replaced = later > 0 && later < (ofCard.get(press.card_id)?.length ?? 0)
    const standings: Standing[] = [
      ...(question?.ends.length === 0 ? (['waiting'] as const) : []),
      ...(question?.ends.map(({ decision }) => decision.state) ?? []),
      ...(is_replaced ? (['replaced'] as const) : []),
      ...(deleted.has(press.card_id) ? (['gone'] as const) : []),
    ]
    const asked = question?.decision
    // Somebody who was never told of the question can't press it.
    if (!asked) return wrong('D5', `${text}, and nobody asked ${press.decision_id}`)
    const rules: Question = { who: whoOf(asked.who), agents: asked.agents, key: asked.key, expires_in: null }
    const ended = question.ends.at(-1)?.decision.state
    const expected = standings.map(standing =>
      judge(press, rules, standing, ended === 'waiting' ? undefined : ended),
    )
    if (expected.some(verdict => isVerdict(status, body, verdict))) return []
    const implied = expected.map(verdict => `${verdict.status} ${verdict.code ?? ''}`.trim()).join(' or ')
    return wrong('D5', `${text}, and the log implies ${implied}`)
  })
}

/** The plans list nobody. */
const whoOf = (who: Asked['decision']['who']): Question['who'] =>
  who === 'owner' || who === 'signed_in' ? who : 'anyone'

const isVerdict = (status: number, body: unknown, verdict: Verdict) =>
  status === verdict.status && (verdict.code === null || includes(body, { code: verdict.code }))

/** All requests of one question name one card, and a key is refused only while another question has it: its own is joined. */
function checkAsk({ request, channel_id, tries, begin }: Operation, { questions, ofCard }: Known): Finding[] {
  if (request.kind !== 'post') return []
  const key = request.question?.key ?? null
  const ids = new Set(
    tries.flatMap(({ answer }) => {
      const body = answer?.body
      return answer && answer.status < 300 && typeof body === 'object' && body !== null && 'id' in body
        ? [body.id]
        : []
    }),
  )
  if (ids.size > 1)
    return [{ promise: 'D4', message: `question ${request.op} is on cards ${[...ids].join(' and ')}` }]
  const refused = tries.some(({ answer }) => answer?.status === 409 && includes(answer.body, KEY_IN_USE.body))
  const holder = [...questions.values()].some(
    other =>
      other.channel_id === channel_id &&
      other.decision.key === key &&
      !(ids.has(other.card_id) && ofCard.get(other.card_id)?.[0] === other) &&
      (other.ends[0]?.turn.at ?? Infinity) >= begin,
  )
  if (!refused || holder) return []
  return [
    { promise: 'D5', message: `question ${request.op} was refused, and no question had the key ${key}` },
  ]
}

/** A card asks once, and once more for each request to ask again. */
function checkAskedOnce({ ofCard, operations }: Known): Finding[] {
  const again = groupBy(
    operations.filter(one => one.request.kind === 'reopen' && (one.answer === null || isAcknowledged(one))),
    ({ request }) => ('card_id' in request ? request.card_id : ''),
  )
  return [...ofCard].flatMap(([card_id, asked]) => {
    const may = 1 + (again.get(card_id)?.length ?? 0)
    if (asked.length <= may) return []
    return [
      { promise: 'D4', message: `card ${card_id} asked ${asked.length} times, and clients ${may} times` },
    ]
  })
}
