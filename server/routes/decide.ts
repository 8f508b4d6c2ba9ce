// An agent's press on a decision's button, with an API key.

import { randomUUID } from 'node:crypto'
import { type FullDecision, fullDecision } from '../../shared/decision.ts'
import { decideBody } from '../../shared/interaction.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import { normalUuid } from '../../shared/text.ts'
import { findDecisionOf, getDecision } from '../decisions/reads.ts'
import { type DecisionRecord, fullForm } from '../decisions/rows.ts'
import { apiError, decisionRefused, invalid, notFound } from '../errors.ts'
import { findInteraction } from '../model/interactions.ts'
import { writePress } from '../model/presses.ts'
import { pressRefusal } from '../model/pressing.ts'
import { readKeyName } from '../model/questions.ts'
import { noteInteraction } from './cards.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { decided, expired, waiting, withdrawn } from './examples.ts'
import { json, operation, serve } from './operation.ts'
import { readBody } from './request.ts'

export const decide = operation('decide', 'post', '/channels/:channelId/decisions/:decisionId', {
  summary: 'Decide, as an agent',
  description:
    'Presses a button of a question that allows `agents`. The key that asked may not decide. The first press wins; later ones get 409 with the outcome. A repeated `interaction_id` returns 200 with the first result.',
  need: 'write',
  body: { schema: decideBody, examples: { 'A choice with a remark': { button_id: 'ship', comment: 'go' } } },
  responses: {
    201: json(fullDecision, 'Decided.', { Decided: decided }),
    200: json(fullDecision, 'This `interaction_id` has decided already.', { Repeated: decided }),
  },
  errors: [
    invalid('comment', REQUIRED),
    invalid('comment', 'is not asked for'),
    invalid('interaction_id', 'is already in use', 'interaction_id_taken'),
    apiError('button_disabled'),
    notFound('Decision'),
    notFound('Card'),
    notFound('Button'),
    apiError('channel_not_interactive'),
    decisionRefused('agents', waiting),
    decisionRefused('own_question', waiting),
    decisionRefused('already_decided', decided),
    decisionRefused('expired', expired),
    decisionRefused('cancelled', withdrawn),
    decisionRefused('asked_again', waiting),
    decisionRefused('card_changed', waiting),
  ],
})

/** Sessions decide through interactions, so this route exists for keys only. */
export function addDecideRoute(routes: Routes, deps: RouteDeps) {
  const { sql, caller, own, feeds, now, public_url } = deps
  const full = (record: DecisionRecord): FullDecision => fullForm(record, public_url)

  serve(routes, decide, caller, own, async c => {
    const channel = c.get('channel')
    const key = c.get('key')
    const decision_id = normalUuid(c.req.param('decisionId'))
    const found = await getDecision(sql, channel.id, decision_id)
    const body = await readBody(c, decide.body.schema)
    const interaction_id = body.interaction_id ?? randomUUID()
    const earlier = async () => {
      const used = body.interaction_id && (await findInteraction(sql, body.interaction_id))
      if (!used) return null
      const first = await findDecisionOf(sql, used.interaction_id)
      if (first?.channel_id !== channel.id || first.decision.id !== decision_id)
        throw invalid('interaction_id', 'is already in use', 'interaction_id_taken')
      // An expiry's interaction is no press, so there is no first result.
      if (used.trigger.type !== 'button_click') throw pressRefusal(first.decision, full(first))
      return first
    }
    const known = await earlier()
    if (known) return c.json<FullDecision>(full(known), 200)
    // The card is gone, and with it the button.
    if (found.card_id === null) throw pressRefusal(found.decision, full(found))
    try {
      const by = {
        kind: 'agent',
        api_key_id: key?.id ?? '',
        name: await readKeyName(sql, key?.id ?? ''),
      } as const
      const press = {
        interaction_id,
        button_id: body.button_id,
        decision_id: found.decision.id,
        comment: body.comment,
        values: body.values ?? {},
        seen: body.seen ?? null,
        timestamp: new Date(now()).toISOString(),
        by,
        public_url,
      }
      const { record } = await writePress(feeds, channel, found.card_id, press)
      noteInteraction(deps, channel.id)
      if (!record) throw new Error('a press that names a decision made none')
      return c.json<FullDecision>(full(record), 201)
    } catch (error) {
      // The same press, sent twice at once, may have decided.
      const first = await earlier()
      if (first) return c.json<FullDecision>(full(first), 200)
      // The card may have been deleted after the decision was read.
      const after = await getDecision(sql, channel.id, decision_id)
      if (after.card_id === null) throw pressRefusal(after.decision, full(after))
      throw error
    }
  })
}
