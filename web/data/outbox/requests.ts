// What acting asks of the server. Every request here changes something or says how it fares; none acts on GET.
import { readJson, send } from '../requests.ts'
import type { InteractionBody } from './interaction.ts'

/** How the webhook of an interaction fares; `none` where the channel has no webhook. */
export type DeliveryAnswer = {
  status: 'none' | 'pending' | 'success' | 'failed' | 'held'
  error: string | null
}

const path = (channelId: string) => `/api/channels/${channelId}/interactions`

/** Sending the same `interaction_id` again is answered with the first result, and delivers nothing twice. */
export async function postAct(channelId: string, body: InteractionBody): Promise<void> {
  // Only the server's own answer says that it has it.
  await readJson(await post(path(channelId), body))
}

export async function fetchDelivery(channelId: string, interactionId: string): Promise<DeliveryAnswer> {
  return readJson(await send(`${path(channelId)}/${interactionId}/delivery`))
}

/** The owner's: delivers a webhook once more. */
export async function redeliver(channelId: string, interactionId: string): Promise<void> {
  await post(`${path(channelId)}/${interactionId}/redeliver`, {})
}

function post(to: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return send(to, { method: 'POST', headers, body: JSON.stringify(body) })
}
