// Webhook deliveries in the owner's log and for viewers, and the channel's signing secret.
import { z } from 'zod'
import { timestamp, uuid } from './text.ts'

export const DELIVERY_STATUSES = ['success', 'failed', 'pending', 'held'] as const

/** `pending`: not finished. `held`: not sent until the owner redelivers it. `attempts` numbers the delivery. */
export const delivery = z.object({
  id: uuid,
  status: z.enum(DELIVERY_STATUSES),
  response_code: z.int().nullable(),
  attempts: z.int().min(0),
  error: z.string().nullable(),
  duration_ms: z.number().nullable(),
  created_at: timestamp,
})
export type Delivery = z.output<typeof delivery>

const headers = z.record(z.string(), z.string())

export const deliveryDetails = delivery.extend({
  url: z.string(),
  request_headers: headers.nullable(),
  request_body: z.string(),
  response_headers: headers.nullable(),
  response_body: z.string().nullable(),
})
export type DeliveryDetails = z.output<typeof deliveryDetails>

/** The latest delivery of the viewer's own interaction. `none`: the channel has no webhook. */
export const deliveryStatus = z.object({
  status: z.enum([...DELIVERY_STATUSES, 'none']),
  error: z.string().nullable(),
})
export type DeliveryStatus = z.output<typeof deliveryStatus>

export const webhookSecret = z.object({ secret: z.string() })
export type WebhookSecret = z.output<typeof webhookSecret>
