// What viewers do in a channel. No session is needed where the viewer may see it. Nothing acts on GET.
import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { Channel } from '../../shared/channel.ts'
import { type CreateInteractionBody, createInteractionBody } from '../../shared/interaction.ts'
import { createActLimit } from '../auth/act-limit.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { Identify } from '../auth/identify.ts'
import { letIn } from '../auth/let-in.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../database/connect.ts'
import { badRequest, notFound } from '../errors.ts'
import { getCard } from '../model/cards.ts'
import { listActions, placeOfChannel } from '../model/channels.ts'
import { deliveryStatus } from '../model/deliveries.ts'
import { checkInteraction, type InteractionContext } from '../model/interaction-rules.ts'
import { findInteraction, recordInteraction } from '../model/interactions.ts'
import { asUuid, readBody } from './request.ts'

export type ActDeps = {
  sql: Sql
  config: Pick<Config, 'act_limit' | 'trust_proxy'>
  identify: Identify
  now: () => number
  /** An interaction was logged: webhooks and event streams are to hear of it. */
  on_interaction: (channel_id: string) => void
}

const ACTED_MAX_AGE_MS = 30 * 24 * 3_600_000

type Env = { Bindings: HttpBindings }

/** `has_role`: in the channel's workspace. */
type Admitted = { channel_id: string; user_id: string | null; has_role: boolean }

export function actRoutes({ sql, config, identify, now, on_interaction }: ActDeps) {
  const routes = new Hono<Env>()
  const limit = createActLimit(config.act_limit)

  async function admit(c: Context<Env>): Promise<Admitted> {
    const channel_id = asUuid(c.req.param('channelId'))
    const place = channel_id === null ? null : await placeOfChannel(sql, channel_id)
    if (channel_id === null || !place) throw notFound('Channel')
    const viewer = await identify.byCookies(c.req.header('Cookie'))
    const { can_edit } = letIn(place, viewer)
    return { channel_id, user_id: viewer.kind === 'session' ? viewer.user_id : null, has_role: can_edit }
  }

  routes.post('/channels/:channelId/interactions', async c => {
    const { channel_id, user_id, has_role } = await admit(c)
    limit.take({ channel_id, user_id, address: clientAddress(c.env.incoming, config.trust_proxy) })
    const body = await readBody(c, createInteractionBody)
    const interaction_id = body.interaction_id ?? randomUUID()
    const earlier = await findInteraction(sql, interaction_id)
    if (earlier) return c.json(sameChannel(earlier, channel_id), 200)

    const act = checkInteraction(body, await sceneOf(channel_id, body))
    const logged = await recordInteraction(sql, {
      interaction_id,
      channel_id,
      ...act,
      timestamp: actedAt(body.timestamp, now()),
      user_id,
      anonymous: user_id === null || (body.as ?? (has_role ? 'me' : 'anonymous')) === 'anonymous',
    })
    if (!logged) {
      // The same click came twice at once: the other one was logged.
      const first = await findInteraction(sql, interaction_id)
      if (!first) throw new Error('an interaction id was taken and is gone')
      return c.json(sameChannel(first, channel_id), 200)
    }
    on_interaction(channel_id)
    return c.json(logged, 201)
  })

  /** How the viewer's own interaction fares: its id is the viewer's to know. */
  routes.get('/channels/:channelId/interactions/:interactionId/delivery', async c => {
    const { channel_id } = await admit(c)
    const interaction_id = asUuid(c.req.param('interactionId'))
    const interaction = interaction_id && (await findInteraction(sql, interaction_id))
    if (!interaction || interaction.channel_id !== channel_id) throw notFound('Interaction')
    const delivery = await deliveryStatus(sql, channel_id, interaction.interaction_id)
    c.header('Cache-Control', 'no-store')
    if (!delivery) return c.json({ status: 'none', error: null })
    return c.json(delivery)
  })

  async function sceneOf(
    channel_id: string,
    { trigger, card_id }: CreateInteractionBody,
  ): Promise<InteractionContext> {
    const onCard = trigger.type === 'button_click' || trigger.type === 'input_change'
    if (onCard && (card_id === undefined || card_id === null)) throw badRequest('card_id is required')
    const id = onCard ? asUuid(card_id ?? undefined) : null
    if (onCard && id === null) throw notFound('Card')
    const [channel] = await sql<
      { mode: Channel['mode'] }[]
    >`select mode from channels where id = ${channel_id}`
    if (!channel) throw notFound('Channel')
    return {
      mode: channel.mode,
      card: id === null ? null : await getCard(sql, channel_id, { id }),
      actions: trigger.type === 'header_action' ? await listActions(sql, channel_id) : [],
    }
  }

  return routes
}

function sameChannel<T extends { channel_id: string }>(interaction: T, channel_id: string): T {
  if (interaction.channel_id !== channel_id) throw badRequest('interaction_id is already in use')
  return interaction
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** When the viewer acted, if that can be believed; else now. ISO 8601. */
function actedAt(given: string | undefined, now: number): string {
  const acted = given !== undefined && INSTANT.test(given) ? Date.parse(given) : Number.NaN
  const believable = acted <= now && acted >= now - ACTED_MAX_AGE_MS
  return new Date(believable ? acted : now).toISOString()
}
