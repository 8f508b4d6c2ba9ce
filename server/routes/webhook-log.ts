// The owner's log of interactions and deliveries, test deliveries, and the webhook's secret.
import { z } from 'zod'
import { DELIVERY_STATUSES, type DeliveryDetails, type WebhookSecret } from '../../shared/delivery.ts'
import { type InteractionLog, LOG_TYPES } from '../../shared/interaction-log.ts'
import { invalid, notFound } from '../errors.ts'
import {
  claimTest,
  getDelivery,
  queueRedelivery,
  readInteractionLog,
  webhookHost,
} from '../model/deliveries.ts'
import { readSecret, rotateSecret } from '../model/webhook-secrets.ts'
import { createTestLimit } from '../webhooks/test-limit.ts'
import { checkUnread, sendCounted } from './counted-response.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { checkText, nextCursor, readCursor, readId, readLimit } from './request.ts'

const CHANNEL = '/channels/:channelId'

export function addWebhookLogRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, own, webhooks, now, public_url } = deps
  const limitTests = createTestLimit()

  routes.get(`${CHANNEL}/interactions`, caller, own, async c => {
    const search = c.req.query('search')?.trim() || null
    if (search !== null) checkText('search', search)
    const filter = {
      type: oneOf('type', c.req.query('type'), LOG_TYPES),
      status: oneOf('status', c.req.query('status'), DELIVERY_STATUSES),
      search,
      from: readTime('from', c.req.query('from')),
      to: readTime('to', c.req.query('to')),
    }
    const channel = c.get('channel')
    const [limit, cursor] = [readLimit(c), readCursor(c)]
    checkUnread(c, deps)
    const { interactions, next } = await readInteractionLog(sql, channel, limit, cursor, filter, public_url)
    return sendCounted<InteractionLog>(c, deps, { interactions, next_cursor: nextCursor(next) })
  })

  routes.get(`${CHANNEL}/deliveries/:deliveryId`, caller, own, async c => {
    const id = readId(c, 'deliveryId', 'Delivery')
    const delivery = await getDelivery(sql, c.get('channel').id, id, public_url)
    if (!delivery) throw notFound('Delivery')
    return c.json<DeliveryDetails>(delivery)
  })

  routes.post(`${CHANNEL}/interactions/:interactionId/redeliver`, caller, own, async c => {
    const id = readId(c, 'interactionId', 'Interaction')
    const delivery = await queueRedelivery(sql, c.get('channel'), id, public_url)
    webhooks.wake()
    return c.json<DeliveryDetails>(delivery, 202)
  })

  routes.post(`${CHANNEL}/webhook-test`, caller, own, async c => {
    const { id, owner_id } = c.get('channel')
    const host = await webhookHost(sql, id)
    const claimed = await limitTests(owner_id, id, () =>
      webhooks.sendNow(owner_id, host, () => claimTest(sql, id, now())),
    )
    const delivery = await getDelivery(sql, claimed.channel_id, claimed.id, public_url)
    if (!delivery) throw notFound('Channel')
    return c.json<DeliveryDetails>(delivery)
  })

  routes.get(`${CHANNEL}/webhook-secret`, caller, own, async c => {
    return c.json<WebhookSecret>({ secret: await readSecret(sql, c.get('channel').id) })
  })

  routes.post(`${CHANNEL}/webhook-secret`, caller, own, async c => {
    return c.json<WebhookSecret>({ secret: await rotateSecret(sql, c.get('channel').id) })
  })
}

function oneOf(name: string, given: string | undefined, allowed: readonly string[]): string | null {
  if (given === undefined || given === '') return null
  if (!allowed.includes(given)) throw invalid(name, `must be one of ${allowed.join(', ')}`)
  return given
}

function readTime(name: string, given: string | undefined): string | null {
  if (given === undefined || given === '') return null
  if (!z.iso.datetime().safeParse(given).success) throw invalid(name, 'must be an ISO 8601 time in UTC')
  return given
}
