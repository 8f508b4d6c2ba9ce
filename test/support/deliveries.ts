// Reads the owner's log: interactions with their deliveries, once these are final.
import { vi } from 'vitest'
import type { LoggedInteraction, Scene } from './scene.ts'

/** The error of a delivery that was being sent when its service stopped. */
export const INTERRUPTED = 'interrupted: the service stopped while it was sent'

export type LoggedDelivery = {
  id: string
  status: 'pending' | 'success' | 'failed' | 'held'
  response_code: number | null
  attempts: number
  error: string | null
  duration_ms: number | null
  created_at: string
}

export type DeliveryDetails = LoggedDelivery & {
  url: string
  request_headers: Record<string, string>
  request_body: string
  response_headers: Record<string, string> | null
  response_body: string | null
}

export type LogEntry = LoggedInteraction & { deliveries: LoggedDelivery[] }
export type LogPage = { interactions: LogEntry[]; next_cursor: string | null }

type Channel = Pick<Scene, 'account' | 'channel_id'>

/** The log's newest page. */
export async function readLog({ account, channel_id }: Channel, query = 'limit=200'): Promise<LogEntry[]> {
  const { body } = await account.session<LogPage>('GET', `/channels/${channel_id}/interactions?${query}`)
  return body.interactions
}

/** The log once no delivery waits. */
export function settledLog(scene: Channel): Promise<LogEntry[]> {
  return vi.waitUntil(
    async () => {
      const entries = await readLog(scene)
      const waits = entries.some(({ deliveries }) => deliveries.some(({ status }) => status === 'pending'))
      return waits ? null : entries
    },
    { timeout: 30_000, interval: 20 },
  )
}

/** The newest delivery of the newest interaction, with details, once it is final. */
export async function lastDelivery(scene: Scene): Promise<DeliveryDetails> {
  const [entry] = await settledLog(scene)
  const { body } = await scene.account.session<DeliveryDetails>(
    'GET',
    `/channels/${scene.channel_id}/deliveries/${entry?.deliveries[0]?.id}`,
  )
  return body
}
