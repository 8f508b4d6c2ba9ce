// P7 and P8: an interaction is logged once, and no delivery is sent twice, out of order or without a trace.
import type { Files, Finding } from './files.ts'
import { isAcknowledged, operationsOf } from './operations.ts'

export function checkWebhooks({ tried, delivered, deliveries }: Files): Finding[] {
  const findings: Finding[] = []
  const wrong = (promise: string, message: string) => findings.push({ promise, message })
  const stored = new Map(deliveries.map(delivery => [delivery.interaction_id, delivery]))
  const sent = new Map<string, string>()

  for (const operation of operationsOf(tried)) {
    const { request } = operation
    if (request.kind !== 'interact') continue
    const { interaction_id, op } = request
    sent.set(interaction_id, op)
    const logged = stored.get(interaction_id)
    if (isAcknowledged(operation) && !logged)
      wrong('P7', `interaction ${op} got ${operation.answer?.status} and is not in the log`)
    if (logged && textOf(logged.trigger) !== op) wrong('P7', `interaction ${op} is logged with another body`)
  }
  const numbers = new Set<string>()
  for (const { channel_id, interaction_id, number, trigger, status, sent: marked, error } of deliveries) {
    const name = `the delivery of ${textOf(trigger)}`
    if (!sent.has(interaction_id))
      wrong('P7', `interaction ${interaction_id} is logged, and no client sent it`)
    if (numbers.has(`${channel_id} ${number}`)) wrong('P7', `${name} shares number ${number}`)
    numbers.add(`${channel_id} ${number}`)
    const requests = delivered.filter(({ webhook_id }) => webhook_id === interaction_id)
    if (requests.length > 1) wrong('P8', `${name} was received ${requests.length} times`)
    if (requests.length > 0 && !marked) wrong('P8', `${name} was received without a mark that it was sent`)
    if (requests.length === 0 && status === 'success')
      wrong('P8', `${name} is a success, and nobody received it`)
    if (status === 'failed' && !error) wrong('P8', `${name} failed without a cause`)
  }
  const last = new Map<string, number>()
  for (const { webhook_id, body } of [...delivered].sort((a, b) => a.at - b.at)) {
    const delivery = stored.get(webhook_id)
    if (!delivery) {
      wrong('P8', `a request with webhook-id ${webhook_id} is for no interaction`)
      continue
    }
    const { channel_id, number, trigger } = delivery
    if (number < (last.get(channel_id) ?? 0)) wrong('P8', `the delivery of ${textOf(trigger)} came too late`)
    last.set(channel_id, number)
    const parsed: { trigger?: unknown } = JSON.parse(body)
    if (textOf(parsed.trigger) !== textOf(trigger))
      wrong('P8', `the delivery of ${textOf(trigger)} had another body`)
  }
  return findings
}

const textOf = (trigger: unknown) =>
  typeof trigger === 'object' && trigger !== null && 'text' in trigger ? String(trigger.text) : ''
