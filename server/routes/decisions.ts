// Decisions, for those who run a channel: read one and wait until it ends, list them, withdraw a question.

import type { ServerResponse } from 'node:http'
import {
  DECISION_STATES,
  type FullDecision,
  type FullDecisionList,
  fullDecision,
  fullDecisionList,
} from '../../shared/decision.ts'
import { isOverdue } from '../../shared/decision-rules.ts'
import { WAIT_MAX_S } from '../../shared/limits.ts'
import { type SignedDecision, signedDecision } from '../../shared/signed-decision.ts'
import { normalUuid } from '../../shared/text.ts'
import { isAsker } from '../decisions/looks.ts'
import {
  type DecisionFilter,
  fullFormAt,
  getCardDecision,
  getDecision,
  getSignedDecision,
  listDecisions,
} from '../decisions/reads.ts'
import { type DecisionRecord, fullForm } from '../decisions/rows.ts'
import type { DecisionWaits, Recipient, Wait } from '../decisions/waits.ts'
import { decisionRefused, invalid, notFound, tooManyWaits } from '../errors.ts'
import { getCard } from '../model/cards.ts'
import { cardRef } from './card.ts'
import { CARDS } from './cards.ts'
import type { AppContext, RouteDeps, Routes } from './deps.ts'
import { decided, signed, waiting, withdrawn } from './examples.ts'
import { LATER, LateResponse } from './late-response.ts'
import { json, operation, serve } from './operation.ts'
import { checkText, nextCursor, readCursor, readLimit } from './request.ts'

const DECISIONS = '/channels/:channelId/decisions'
const DECISION = `${DECISIONS}/:decisionId`

const waitForIt =
  'With `wait`, the response comes when the decision ends, or after that many seconds with the state as it is. Repeat the request while the state is `waiting`.'
const answer = json(fullDecision, 'The decision.', {
  'Someone decided': decided,
  'Nobody has decided yet': waiting,
})
const badWait = [invalid('wait', `must be a whole number from 0 to ${WAIT_MAX_S}`), tooManyWaits()]

const getOne = operation('getDecision', 'get', DECISION, {
  summary: 'Read a decision, or wait for it',
  description: `${waitForIt} A decision that has ended never changes. It is found even if its card is deleted.`,
  need: 'read',
  parameters: ['wait'],
  responses: { 200: answer },
  errors: badWait,
})

function cardOperation(by: 'id' | 'key') {
  const [path, suffix, words] =
    by === 'id' ? [`${CARDS}/:cardId`, '', ''] : [`${CARDS}/by-key/:key`, 'ByKey', ' by the card’s key']
  return operation(`getCardDecision${suffix}`, 'get', `${path}/decision`, {
    summary: `Read the current decision of a card${words}, or wait for it`,
    description: `${waitForIt} If the question is asked again meanwhile, the wait ends with the earlier decision, which was cancelled.`,
    need: 'read',
    parameters: ['wait', 'block'],
    responses: { 200: answer },
    errors: [...badWait, invalid('block', 'is required: the card has 2 decisions', 'field_required')],
  })
}

const listAll = operation('listDecisions', 'get', DECISIONS, {
  summary: 'List the decisions of a channel, newest first',
  description: 'Every time a question was asked, even on cards that are deleted.',
  need: 'read',
  parameters: ['state', 'decision_key', 'limit', 'cursor'],
  responses: {
    200: json(fullDecisionList, 'A page of decisions. `next_cursor` is null on the last one.', {
      'The last page': { decisions: [waiting, decided], next_cursor: null },
    }),
  },
  errors: [invalid('state', `must be one of ${DECISION_STATES.join(', ')}`)],
})

const withdraw = operation('withdrawDecision', 'delete', DECISION, {
  summary: 'Withdraw a question',
  description:
    'A question that waits is cancelled, with the reason `withdrawn`. One that expired or was cancelled before stays as it is.',
  need: 'write',
  responses: { 200: json(fullDecision, 'The decision as it is now.', { Withdrawn: withdrawn }) },
  errors: [decisionRefused('already_decided', decided)],
})

const getSigned = operation('getSignedDecision', 'get', `${DECISION}/signed`, {
  summary: 'Read the signature of a decision',
  description:
    'The signature proves to others who chose what on which card. `card` and `values` are exactly what was digested for it. Its public key is at `/.well-known/jwks.json`, which needs no API key.',
  need: 'read',
  responses: { 200: json(signedDecision, 'The signature, and what it is about.', { Signed: signed }) },
  errors: [notFound('Signature')],
})

const byId = cardOperation('id')
const byKey = cardOperation('key')
export const decisionReadOperations = [getOne, byId, byKey, listAll, withdraw, getSigned]

export function addDecisionRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, own, now, public_url } = deps

  serve(routes, listAll, caller, own, async c => {
    const key = c.req.query('key') ?? null
    if (key !== null) checkText('key', key)
    const filter: DecisionFilter = { state: readState(c), key }
    const { id } = c.get('channel')
    const { decisions, next } = await listDecisions(sql, id, filter, now(), readLimit(c), readCursor(c))
    return c.json<FullDecisionList>({
      decisions: decisions.map(record => fullFormAt(record, now(), public_url)),
      next_cursor: nextCursor(next),
    })
  })

  serve(routes, getOne, caller, own, async c => {
    const record = await getDecision(sql, c.get('channel').id, normalUuid(c.req.param('decisionId')))
    return answerWhenEnded(c, deps, record)
  })

  serve(routes, getSigned, caller, own, async c => {
    const decision_id = normalUuid(c.req.param('decisionId'))
    return c.json<SignedDecision>(await getSignedDecision(sql, c.get('channel').id, decision_id))
  })

  serve(routes, withdraw, caller, own, async c => {
    const { id: channel_id, owner_id } = c.get('channel')
    const { expiry, endQuestion } = deps
    const decision_id = normalUuid(c.req.param('decisionId'))
    const found = await getDecision(sql, channel_id, decision_id)
    const { card_id, decision } = await expiry.current(found, owner_id)
    if (decision.state === 'waiting')
      await endQuestion({ channel_id, owner_id, card_id, decision_id: decision.id }, 'withdraw')
    const after = fullForm(await getDecision(sql, channel_id, decision.id), public_url)
    if (after.state === 'decided') throw decisionRefused('already_decided', after)
    return c.json<FullDecision>(after)
  })

  for (const one of [byKey, byId]) {
    serve(routes, one, caller, own, async c => {
      const card = await getCard(sql, c.get('channel').id, cardRef(c))
      const record = await getCardDecision(sql, card, c.req.query('block'))
      return answerWhenEnded(c, deps, record)
    })
  }
}

async function answerWhenEnded(c: AppContext, deps: RouteDeps, found: DecisionRecord): Promise<Response> {
  const { public_url, waits, looks, expiry } = deps
  const seconds = c.req.method === 'HEAD' ? 0 : readWait(c)
  const { owner_id } = c.get('channel')
  const decision = fullForm(await expiry.current(found, owner_id), public_url)
  const caller = { user_id: c.get('user_id'), key: c.get('key'), session_id: c.get('session_id') }
  const counts = isAsker(found, caller.key?.id)
  if (decision.state !== 'waiting') return c.json<FullDecision>(decision)
  if (seconds === 0) {
    if (counts) looks.look({ channel_id: decision.channel_id, decision_id: decision.id })
    return c.json<FullDecision>(decision)
  }
  const { outgoing } = c.env
  const recipient = new WaitingRequest(outgoing, owner_id, caller.key !== undefined, deps)
  const wait = waits.add(decision, caller, seconds * 1_000, recipient, counts)
  leaveOnClose(outgoing, waits, wait)
  return LATER
}

/** Apart from the route, whose context would stay in memory with a function made there. */
function leaveOnClose(outgoing: ServerResponse, waits: DecisionWaits, wait: Wait): void {
  if (outgoing.destroyed) return void waits.remove(wait)
  // Hono's listener would keep its request, with a copy of all headers, in memory.
  outgoing.removeAllListeners('close')
  outgoing.once('close', () => waits.remove(wait))
}

class WaitingRequest extends LateResponse implements Recipient {
  readonly repeats = true
  readonly #owner_id: string
  readonly #deps: RouteDeps

  constructor(outgoing: ServerResponse, owner_id: string, is_public: boolean, deps: RouteDeps) {
    super(outgoing, is_public, deps)
    this.#owner_id = owner_id
    this.#deps = deps
  }

  answer(decision: FullDecision): void {
    if (isOverdue(decision, this.#deps.now()))
      this.#answerOverdue(decision).catch(error => this.refuse(error))
    else this.send(200, decision)
  }

  async #answerOverdue({ channel_id, id }: FullDecision): Promise<void> {
    const { sql, expiry, public_url } = this.#deps
    const record = await getDecision(sql, channel_id, id)
    this.send(200, fullForm(await expiry.current(record, this.#owner_id), public_url))
  }
}

function readWait(c: AppContext): number {
  const given = c.req.query('wait')
  if (given === undefined) return 0
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : WAIT_MAX_S + 1
  if (seconds > WAIT_MAX_S) throw invalid('wait', `must be a whole number from 0 to ${WAIT_MAX_S}`)
  return seconds
}

function readState(c: AppContext): DecisionFilter['state'] {
  const given = c.req.query('state')
  if (given === undefined) return null
  const known = DECISION_STATES.find(state => state === given)
  if (!known) throw invalid('state', `must be one of ${DECISION_STATES.join(', ')}`)
  return known
}
