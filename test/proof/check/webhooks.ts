// P7 and P8: an interaction is logged once, and no delivery is sent twice, out of order or without a trace.

import { groupBy } from '../group.ts'
import type { Delivered } from '../load/receiver.ts'
import type { StoredDelivery } from '../run.ts'
import { type Files, type Finding, phaseOf } from './files.ts'
import { isAcknowledged, type Operation, operationsOf } from './operations.ts'

type Interaction = {
  name: string
  number: number
  channel_id: string
  /** What the viewer sent; null if no client sent it. */
  sent: Operation | null
  deliveries: StoredDelivery[]
  requests: Delivered[]
  /** How many redeliveries were asked for. */
  asked: number
}

export function checkWebhooks(files: Files): Finding[] {
  // Deliveries are read at the end.
  if (phaseOf(files.marks, 'end') === Infinity) return []
  const interactions = interactionsOf(files)
  return [
    ...checkLogged(files),
    ...interactions.flatMap(checkInteraction),
    ...checkNumbers(interactions),
    ...checkOrder(interactions),
  ]
}

const isAct = ({ request: { kind } }: Operation) => kind === 'interact' || kind === 'press'

const idOf = ({ request }: Operation) => ('interaction_id' in request ? request.interaction_id : '')

function interactionsOf({ tried, delivered, deliveries }: Files): Interaction[] {
  const operations = operationsOf(tried)
  const sent = new Map(operations.flatMap(one => (isAct(one) ? [[idOf(one), one] as const] : [])))
  const redeliveries = operations.filter(({ request }) => request.kind === 'redeliver')
  const asked = groupBy(
    redeliveries.filter(one => one.answer === null || isAcknowledged(one)),
    idOf,
  )
  const requests = groupBy(delivered, ({ webhook_id }) => webhook_id)
  return [...groupBy(deliveries, ({ interaction_id }) => interaction_id)].map(([id, rows]) => ({
    name: `the delivery of ${sent.get(id)?.request.op ?? id}`,
    number: rows[0]?.number ?? 0,
    channel_id: rows[0]?.channel_id ?? '',
    sent: sent.get(id) ?? null,
    deliveries: rows,
    requests: requests.get(id) ?? [],
    asked: asked.get(id)?.length ?? 0,
  }))
}

/** Every acknowledged interaction is logged, and every request is for a logged one. */
function checkLogged({ tried, delivered, deliveries }: Files): Finding[] {
  const logged = new Set(deliveries.map(({ interaction_id }) => interaction_id))
  const missing = operationsOf(tried).filter(
    one => isAct(one) && isAcknowledged(one) && !logged.has(idOf(one)),
  )
  const strange = delivered.filter(({ webhook_id }) => !logged.has(webhook_id))
  return [
    ...missing.map(({ request, answer }) => ({
      promise: 'P7',
      message: `interaction ${request.op} got ${answer?.status} and is not in the log`,
    })),
    ...strange.map(({ webhook_id }) => ({
      promise: 'P8',
      message: `a request with webhook-id ${webhook_id} is for no interaction`,
    })),
  ]
}

function checkInteraction({ name, sent, deliveries, requests, asked }: Interaction): Finding[] {
  const findings: Finding[] = []
  const wrong = (promise: string, message: string) => findings.push({ promise, message })
  const expired = deliveries.every(({ trigger }) => isObject(trigger) && trigger.type === 'decision_expired')
  if (!sent && !expired) wrong('P7', `${name} is logged, and no client sent it`)
  else if (sent && deliveries.some(({ trigger }) => !isOf(trigger, sent)))
    wrong('P7', `${name} is logged with another body`)
  const marked = deliveries.filter(delivery => delivery.sent).length
  const succeeded = deliveries.filter(({ status }) => status === 'success').length
  if (requests.length > 1 + asked)
    wrong('P8', `${name} was received ${requests.length} times, and ${asked} redeliveries were asked for`)
  if (requests.length > marked) wrong('P8', `${name} was received without a mark that it was sent`)
  if (succeeded > requests.length) wrong('P8', `${name} is a success, and nobody received it`)
  if (deliveries.some(({ status, error }) => status === 'failed' && !error))
    wrong('P8', `${name} failed without a cause`)
  if (deliveries.some(({ delivery_id }) => delivery_id === null)) wrong('P8', `${name} was never due`)
  if (deliveries.some(({ status }) => status === 'pending' || status === 'sending'))
    wrong('P8', `${name} still waits at the end`)
  const complete = requests.filter(request => request.complete)
  const body = withoutAddress(bodyOf(sent) ?? complete[0]?.body ?? '')
  if (complete.some(request => withoutAddress(request.body) !== body)) wrong('P8', `${name} had another body`)
  return findings
}

/** Each instance of a run has a PUBLIC_URL of its own, because it chooses its port. The link in a decision names it. */
const withoutAddress = (body: string) => body.replaceAll(/"url":"http:\/\/localhost:\d+\//g, '"url":"/')

/** Whether the log has what the viewer sent. A click carries nothing of its own. */
function isOf(trigger: unknown, { request }: Operation): boolean {
  if (!isObject(trigger)) return false
  if (request.kind === 'press') return trigger.button_id === request.button
  if ('text' in trigger) return trigger.text === request.op
  return 'value' in trigger ? trigger.value === request.op : true
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** As the first answer has it; null if that is unknown. The body of a press has the decision, which another checker reads. */
function bodyOf(sent: Operation | null): string | null {
  if (sent?.request.kind === 'press') return null
  const body = sent?.tries.find(({ answer }) => answer?.status === 201)?.answer?.body
  if (typeof body !== 'object' || body === null) return null
  const { interaction_id, channel_id, card_id, timestamp, trigger, card_state }: Record<string, unknown> = {
    ...body,
  }
  return JSON.stringify({ interaction_id, channel_id, card_id, timestamp, trigger, card_state })
}

function checkNumbers(interactions: Interaction[]): Finding[] {
  const numbers = new Set<string>()
  return interactions.flatMap(({ name, channel_id, number }) => {
    const place = `${channel_id} ${number}`
    if (numbers.has(place)) return [{ promise: 'P7', message: `${name} shares number ${number}` }]
    numbers.add(place)
    return []
  })
}

/** Deliveries of a channel go out in order. A redelivery takes a later place, so those interactions are left out. */
function checkOrder(interactions: Interaction[]): Finding[] {
  const last = new Map<string, number>()
  return interactions
    .filter(({ deliveries }) => deliveries.length === 1)
    .flatMap(one => one.requests.map(request => ({ ...one, at: request.at })))
    .sort((a, b) => a.at - b.at)
    .flatMap(({ name, channel_id, number }) => {
      const before = last.get(channel_id) ?? 0
      last.set(channel_id, number)
      return number < before ? [{ promise: 'P8', message: `${name} came too late` }] : []
    })
}
