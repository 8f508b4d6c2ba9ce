// Interactions: viewers send them, and automations without a public address list them.
import { randomUUID } from 'node:crypto'
import { type Channel, showsReceipts } from '../../shared/channel.ts'
import type { DeliveryStatus } from '../../shared/delivery.ts'
import {
  type CreateInteractionBody,
  createInteractionBody,
  type Interaction,
  type InteractionList,
  interactionList,
} from '../../shared/interaction.ts'
import { clientAddress } from '../auth/client-address.ts'
import { createInteractionLimit } from '../auth/interaction-limit.ts'
import type { Sql } from '../database/connect.ts'
import { badRequest, notFound } from '../errors.ts'
import { getCard } from '../model/cards.ts'
import { listHeaderActions } from '../model/channels.ts'
import { deliveryStatus } from '../model/deliveries.ts'
import { checkInteraction, type InteractionContext } from '../model/interaction-rules.ts'
import { findInteraction, listInteractions, recordInteraction } from '../model/interactions.ts'
import { pressWithReceipt } from '../model/presses.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { click, reply } from './examples.ts'
import { json, operation, serve } from './operation.ts'
import { asUuid, nextCursor, readBody, readCursor, readId, readLimit } from './request.ts'
import { viewedChannel } from './viewed-channel.ts'

const INTERACTIONS = '/channels/:channelId/interactions'

export const listInteractionsOperation = operation('listInteractions', 'get', INTERACTIONS, {
  summary: 'List the interactions, newest first',
  need: 'read',
  parameters: ['limit', 'cursor'],
  responses: {
    200: json(interactionList, 'A page of interactions. `next_cursor` is null on the last one.', {
      'A click and a reply': { interactions: [click, reply], next_cursor: null },
    }),
  },
})

export function addInteractionListRoute(routes: Routes, { sql, caller, own }: RouteDeps) {
  serve(routes, listInteractionsOperation, caller, own, async c => {
    const { id } = c.get('channel')
    const { interactions, next } = await listInteractions(sql, id, readLimit(c), readCursor(c))
    return c.json<InteractionList>({ interactions, next_cursor: nextCursor(next) })
  })
}

export function addInteractionRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, feeds, config } = deps
  const limit = createInteractionLimit(config.act_limit)

  routes.post(INTERACTIONS, async c => {
    const { channel_id, owner_id, identity, can_edit } = await viewedChannel(c, deps)
    const user_id = identity.kind === 'session' ? identity.user_id : null
    limit({ channel_id, user_id, address: clientAddress(c.env.incoming, config.trust_proxy) })
    const body = await readBody(c, createInteractionBody)
    const interaction_id = body.interaction_id ?? randomUUID()
    const earlier = await findInteraction(sql, interaction_id)
    if (earlier) return c.json(sameChannel(earlier, channel_id), 200)

    const sender = {
      interaction_id,
      channel_id,
      timestamp: sentAt(body.timestamp, deps.now()),
      user_id,
      anonymous: user_id === null || (body.as ?? (can_edit ? 'me' : 'anonymous')) === 'anonymous',
    }
    const card_id = cardIdOf(body)
    const { mode, ...setting } = await settingsOf(sql, channel_id)
    const logged =
      isPress(body) && showsReceipts(setting.receipts, setting.visibility)
        ? await pressWithReceipt(sql, feeds, { body, sender, card_id, owner_id })
        : await recordInteraction(sql, {
            ...sender,
            ...checkInteraction(body, await contextOf(sql, { channel_id, mode, card_id }, body)),
          })
    if (!logged) {
      // A parallel request logged the same interaction.
      const first = await findInteraction(sql, interaction_id)
      if (!first) throw new Error('an interaction with a taken id has disappeared')
      return c.json(sameChannel(first, channel_id), 200)
    }
    deps.webhooks.wake()
    deps.publish({ kind: 'interacted', channel_id })
    return c.json(logged, 201)
  })

  /** Only the sender knows the random id of an interaction. */
  routes.get(`${INTERACTIONS}/:interactionId/delivery`, async c => {
    const { channel_id } = await viewedChannel(c, deps)
    const interaction = await findInteraction(sql, readId(c, 'interactionId', 'Interaction'))
    if (interaction?.channel_id !== channel_id) throw notFound('Interaction')
    const delivery = await deliveryStatus(sql, channel_id, interaction.interaction_id)
    return c.json<DeliveryStatus>(delivery ?? { status: 'none', error: null })
  })
}

const isPress = ({ trigger }: CreateInteractionBody) =>
  trigger.type === 'button_click' || trigger.type === 'header_action'

/** Null if the interaction is not about a card. */
function cardIdOf({ trigger, card_id }: CreateInteractionBody): string | null {
  if (trigger.type !== 'button_click' && trigger.type !== 'input_change') return null
  if (card_id === undefined || card_id === null) throw badRequest('card_id is required')
  const id = asUuid(card_id)
  if (id === null) throw notFound('Card')
  return id
}

type Settings = Pick<Channel, 'mode' | 'receipts' | 'visibility'>

async function settingsOf(sql: Sql, channel_id: string): Promise<Settings> {
  const [settings] = await sql<Settings[]>`
    select c.mode, c.receipts, w.visibility
    from channels c join workspaces w on w.id = c.workspace_id where c.id = ${channel_id}`
  if (!settings) throw notFound('Channel')
  return settings
}

async function contextOf(
  sql: Sql,
  { channel_id, mode, card_id }: { channel_id: string; mode: Channel['mode']; card_id: string | null },
  { trigger }: CreateInteractionBody,
): Promise<InteractionContext> {
  return {
    mode,
    card: card_id === null ? null : await getCard(sql, channel_id, { id: card_id }),
    actions: trigger.type === 'header_action' ? await listHeaderActions(sql, channel_id) : [],
  }
}

function sameChannel(interaction: Interaction, channel_id: string): Interaction {
  if (interaction.channel_id !== channel_id) throw badRequest('interaction_id is already in use')
  return interaction
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
const MAX_AGE_MS = 30 * 24 * 3_600_000

/** The viewer's own time if it is plausible, because they may have been offline; otherwise now. ISO 8601. */
function sentAt(given: string | undefined, now: number): string {
  const sent = given !== undefined && INSTANT.test(given) ? Date.parse(given) : Number.NaN
  const plausible = sent <= now && sent >= now - MAX_AGE_MS
  return new Date(plausible ? sent : now).toISOString()
}
