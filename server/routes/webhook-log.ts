// The owner's log of interactions and deliveries, and what can be done about them.
import { Hono } from 'hono'
import { INTERACTION_TYPES } from '../../shared/interaction.ts'
import type { Sql } from '../database/connect.ts'
import { badRequest, notFound } from '../errors.ts'
import type { ChannelRegister } from '../model/channels.ts'
import {
  claimTest,
  getDelivery,
  queueRedelivery,
  readInteractionLog,
  webhookHost,
} from '../model/deliveries.ts'
import { readSecret, rotateSecret } from '../model/webhook-secrets.ts'
import { createTestLimit } from '../webhooks/test-limit.ts'
import type { WebhookSender } from '../webhooks/webhook-sender.ts'
import { type ChannelEnv, ownChannel, type RequireCaller } from './own-channel.ts'
import { asUuid, readCursor, readLimit, writeCursor } from './request.ts'

export type WebhookLogDeps = {
  sql: Sql
  register: ChannelRegister
  webhooks: WebhookSender
  now: () => number
}

const TYPES: string[] = [...INTERACTION_TYPES, 'test']
const STATUSES = ['success', 'failed', 'pending', 'held']
const CHANNEL = '/channels/:channelId'

export function webhookLogRoutes(session: RequireCaller, deps: WebhookLogDeps) {
  const { sql, webhooks, now } = deps
  const routes = new Hono<ChannelEnv>()
  const own = ownChannel(deps.register)
  const tests = createTestLimit()

  routes.get(`${CHANNEL}/interactions`, session, own, async c => {
    const filter = {
      type: oneOf('type', c.req.query('type'), TYPES),
      status: oneOf('status', c.req.query('status'), STATUSES),
    }
    const channel = c.get('channel')
    const { interactions, next } = await readInteractionLog(sql, channel, readLimit(c), readCursor(c), filter)
    return c.json({ interactions, next_cursor: next === null ? null : writeCursor(next) })
  })

  routes.get(`${CHANNEL}/deliveries/:deliveryId`, session, own, async c => {
    const id = asUuid(c.req.param('deliveryId'))
    const delivery = id && (await getDelivery(sql, c.get('channel').id, id))
    if (!delivery) throw notFound('Delivery')
    return c.json(delivery)
  })

  routes.post(`${CHANNEL}/interactions/:interactionId/redeliver`, session, own, async c => {
    const id = asUuid(c.req.param('interactionId'))
    if (id === null) throw notFound('Interaction')
    const delivery = await queueRedelivery(sql, c.get('channel').id, id)
    webhooks.wake()
    return c.json(delivery, 202)
  })

  routes.post(`${CHANNEL}/webhook-test`, session, own, async c => {
    const { id, owner_id } = c.get('channel')
    const host = await webhookHost(sql, id)
    const claimed = await tests.run(owner_id, id, () =>
      webhooks.sendNow(owner_id, host, () => claimTest(sql, id, now())),
    )
    const delivery = await getDelivery(sql, claimed.channel_id, claimed.id)
    if (!delivery) throw notFound('Channel')
    return c.json(delivery)
  })

  routes.get(`${CHANNEL}/webhook-secret`, session, own, async c => {
    return c.json({ secret: await readSecret(sql, c.get('channel').id) })
  })

  routes.post(`${CHANNEL}/webhook-secret`, session, own, async c => {
    return c.json({ secret: await rotateSecret(sql, c.get('channel').id) })
  })

  return routes
}

function oneOf(name: string, given: string | undefined, words: string[]): string | null {
  if (given === undefined || given === '') return null
  if (!words.includes(given)) throw badRequest(`${name} must be one of ${words.join(', ')}`)
  return given
}
