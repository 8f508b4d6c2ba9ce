// Interactions: viewers send them, and automations without a public address list them.
import { randomUUID } from 'node:crypto'
import { type Channel, showsReceipts } from '../../shared/channel.ts'
import { isQuestionBlock } from '../../shared/decision-rules.ts'
import type { DeliveryStatus } from '../../shared/delivery.ts'
import {
  type CreateInteractionBody,
  createInteractionBody,
  type InteractionList,
  interactionList,
} from '../../shared/interaction.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import { clientAddress } from '../auth/client-address.ts'
import { createInteractionLimit } from '../auth/interaction-limit.ts'
import type { Sql } from '../database/connect.ts'
import { invalid, notFound, tooManyUnread } from '../errors.ts'
import { getCard } from '../model/cards.ts'
import { listHeaderActions } from '../model/channels.ts'
import { writePress } from '../model/decision-presses.ts'
import { findDecisionOf } from '../model/decisions.ts'
import { readDeliveryStatus } from '../model/deliveries.ts'
import { pressHeader } from '../model/header-presses.ts'
import { checkInteraction, type InteractionContext } from '../model/interaction-rules.ts'
import { findInteraction, listInteractions, recordInteraction } from '../model/interactions.ts'
import { readName } from '../model/users.ts'
import { noteInteraction } from './cards.ts'
import { checkUnread, sendCounted } from './counted-response.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { click, decided, reply } from './examples.ts'
import { json, operation, serve } from './operation.ts'
import { nextCursor, normalUuid, readBody, readCursor, readId, readLimit } from './request.ts'
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
  const { sql, config, feeds } = deps
  const limit = createInteractionLimit(config.act_limit)

  routes.post(INTERACTIONS, async c => {
    const { channel_id, owner_id, identity, role } = await readViewedChannel(c, deps)
    const user_id = identity.kind === 'session' ? identity.user_id : null
    const limited = { channel_id, user_id, address: clientAddress(c.env.incoming, config.trust_proxy) }
    limit.begin(limited)
    const body = await readBody(c, createInteractionBody)
    limit.count(limited, body)
    const interaction_id = body.interaction_id ?? randomUUID()
    const first = () => findFirst(deps, channel_id, interaction_id)
    const earlier = await first()
    if (earlier) return c.json(earlier, 200)

    const context = await contextOf(sql, channel_id, body)
    if (isDecisionPress(body, context) || (context.shows_receipts && body.trigger.type === 'button_click')) {
      const press = await pressOf(deps, body, { interaction_id, user_id, owner: role === 'owner' })
      try {
        const channel = { id: channel_id, owner_id }
        const { interaction, record } = await writePress(
          feeds,
          channel,
          normalUuid(body.card_id ?? undefined) ?? '',
          press,
        )
        noteInteraction(deps, channel_id)
        return c.json(record ? { ...interaction, decision: record.decision } : interaction, 201)
      } catch (error) {
        // The same press, sent twice at once, may have been logged.
        const logged = await first()
        if (!logged) throw error
        return c.json(logged, 200)
      }
    }
    const owner = role === 'owner'
    const named = user_id !== null && showsName(body.as, owner)
    const timestamp = sentAt(body.timestamp, deps.now())
    const sender = { interaction_id, channel_id, timestamp, user_id, anonymous: !named }
    const logged =
      context.shows_receipts && body.trigger.type === 'header_action'
        ? await pressHeader(feeds, {
            body,
            sender,
            owner_id,
            name: named ? await readName(sql, user_id) : null,
            owner,
          })
        : await recordInteraction(
            sql,
            { ...sender, ...checkInteraction(body, context) },
            { owner_id, limit: config.daily_byte_limit, now: deps.now },
          )
    if (!logged) {
      // A parallel request logged the same interaction.
      const other = await first()
      if (!other) throw new Error('an interaction with a taken id has disappeared')
      return c.json(other, 200)
    }
    noteInteraction(deps, channel_id)
    return c.json(logged, 201)
  })

  /** Only the sender knows the random id of an interaction. */
  routes.get(`${INTERACTIONS}/:interactionId/delivery`, async c => {
    const { channel_id } = await readViewedChannel(c, deps)
    const interaction = await findInteraction(sql, readId(c, 'interactionId', 'Interaction'))
    if (interaction?.channel_id !== channel_id) throw notFound('Interaction')
    const delivery = await readDeliveryStatus(sql, channel_id, interaction.interaction_id)
    return c.json<DeliveryStatus>(delivery ?? { status: 'none', error: null })
  })
}

async function contextOf(
  sql: Sql,
  channel_id: string,
  { trigger, card_id }: CreateInteractionBody,
): Promise<InteractionContext & { shows_receipts: boolean }> {
  const onCard = trigger.type === 'button_click' || trigger.type === 'input_change'
  if (onCard && (card_id === undefined || card_id === null)) throw invalid('card_id', REQUIRED)
  const id = onCard ? normalUuid(card_id ?? undefined) : null
  if (onCard && id === null) throw notFound('Card')
  const [channel] = await sql<Pick<Channel, 'mode' | 'receipts' | 'visibility'>[]>`
    select c.mode, c.receipts, w.visibility
    from channels c join workspaces w on w.id = c.workspace_id where c.id = ${channel_id}`
  if (!channel) throw notFound('Channel')
  return {
    mode: channel.mode,
    shows_receipts: showsReceipts(channel.receipts, channel.visibility),
    card: id === null ? null : await getCard(sql, channel_id, { id }),
    actions: trigger.type === 'header_action' ? await listHeaderActions(sql, channel_id) : [],
  }
}

/** Whether a press decides something, or believes so. It is then judged in the channel's turn. */
function isDecisionPress({ trigger }: CreateInteractionBody, { card }: InteractionContext): boolean {
  if (trigger.type !== 'button_click' || !card) return false
  if (trigger.decision_id !== undefined) return true
  return card.blocks
    .filter(isQuestionBlock)
    .some(({ buttons }) => buttons.some(({ id }) => id === trigger.button_id))
}

/** The first result of an interaction with this id, as it was answered; null if there is none. */
async function findFirst({ sql }: RouteDeps, channel_id: string, interaction_id: string) {
  const interaction = await findInteraction(sql, interaction_id)
  if (!interaction) return null
  if (interaction.channel_id !== channel_id)
    throw invalid('interaction_id', 'is already in use', 'interaction_id_taken')
  if (interaction.trigger.type !== 'button_click') return interaction
  const made = await findDecisionOf(sql, interaction_id)
  return made ? { ...interaction, decision: made.decision } : interaction
}

async function pressOf(
  { sql, now, public_url }: RouteDeps,
  { trigger, values = {}, seen, timestamp, as }: CreateInteractionBody,
  { interaction_id, user_id, owner }: { interaction_id: string; user_id: string | null; owner: boolean },
) {
  if (trigger.type !== 'button_click') throw new Error('only buttons are pressed')
  const name = user_id === null ? null : await readName(sql, user_id)
  return {
    interaction_id,
    button_id: trigger.button_id,
    decision_id: trigger.decision_id?.toLowerCase() ?? null,
    comment: trigger.comment,
    values,
    seen: seen ?? null,
    timestamp: sentAt(timestamp, now()),
    by: {
      kind: 'person' as const,
      user_id,
      name,
      owner,
      named: showsName(as, owner),
    },
    public_url,
  }
}

/** Whether the interaction shows the person's name: as the request says, otherwise only the owner's. */
const showsName = (as: CreateInteractionBody['as'], owner: boolean) =>
  (as ?? (owner ? 'me' : 'anonymous')) === 'me'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
const MAX_AGE_MS = 30 * 24 * 3_600_000

/** The viewer's own time if it is plausible, because they may have been offline; otherwise now. ISO 8601. */
function sentAt(given: string | undefined, now: number): string {
  const sent = given !== undefined && INSTANT.test(given) ? Date.parse(given) : Number.NaN
  const plausible = sent <= now && sent >= now - MAX_AGE_MS
  return new Date(plausible ? sent : now).toISOString()
}
