// Interactions: viewers send them, and automations without a public address list them.
import type { DeliveryStatus } from '../../shared/delivery.ts'
import { createInteractionBody, type InteractionList, interactionList } from '../../shared/interaction.ts'
import { userOf } from '../auth/access.ts'
import { clientAddress } from '../auth/client-address.ts'
import { createInteractionLimit } from '../auth/interaction-limit.ts'
import { accessDenied, notFound, tooManyUnread } from '../errors.ts'
import { readDeliveryStatus } from '../model/deliveries.ts'
import { findInteraction, listInteractions } from '../model/interactions.ts'
import { writeInteraction } from '../model/write-interaction.ts'
import { noteInteraction } from './cards.ts'
import { checkUnread, sendCounted } from './counted-response.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { click, decided, reply } from './examples.ts'
import { json, operation, serve } from './operation.ts'
import { nextCursor, readBody, readCursor, readId, readLimit } from './request.ts'
import { readViewedChannel } from './viewed-channel.ts'

const INTERACTIONS = '/channels/:channelId/interactions'

export const listInteractionsOperation = operation('listInteractions', 'get', INTERACTIONS, {
  summary: 'List the interactions, newest first',
  need: 'read',
  parameters: ['limit', 'cursor'],
  responses: {
    200: json(interactionList, 'A page of interactions. `next_cursor` is null on the last one.', {
      'A click that decided, and a reply': {
        interactions: [{ ...click, decision: decided }, reply],
        next_cursor: null,
      },
    }),
  },
  errors: [tooManyUnread()],
})

export function addInteractionListRoute(routes: Routes, deps: RouteDeps) {
  const { sql, caller, own, public_url } = deps
  serve(routes, listInteractionsOperation, caller, own, async c => {
    const { id } = c.get('channel')
    const [limit, cursor] = [readLimit(c), readCursor(c)]
    checkUnread(c, deps)
    const { interactions, next } = await listInteractions(sql, id, limit, cursor, public_url)
    return sendCounted<InteractionList>(c, deps, { interactions, next_cursor: nextCursor(next) })
  })
}

export function addInteractionRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, config } = deps
  const limit = createInteractionLimit(config.act_limit)

  routes.post(INTERACTIONS, async c => {
    const { channel_id, owner_id, identity, role, can_act } = await readViewedChannel(c, deps)
    if (!can_act) throw accessDenied()
    const user_id = userOf(identity)
    const limited = { channel_id, user_id, address: clientAddress(c.env.incoming, config.trust_proxy) }
    limit.begin(limited)
    const body = await readBody(c, createInteractionBody)
    limit.count(limited, body)
    const person = { user_id, role }
    const { interaction, is_new } = await writeInteraction(deps, { id: channel_id, owner_id }, body, person)
    if (is_new) noteInteraction(deps, channel_id)
    return c.json(interaction, is_new ? 201 : 200)
  })

  /** Only the sender knows the random id of an interaction. */
  routes.get(`${INTERACTIONS}/:interactionId/delivery`, async c => {
    const { channel_id, can_act } = await readViewedChannel(c, deps)
    if (!can_act) throw accessDenied()
    const interaction = await findInteraction(sql, readId(c, 'interactionId', 'Interaction'))
    if (interaction?.channel_id !== channel_id) throw notFound('Interaction')
    const delivery = await readDeliveryStatus(sql, channel_id, interaction.interaction_id)
    return c.json<DeliveryStatus>(delivery ?? { status: 'none', error: null })
  })
}
