// What a list shows about a channel besides its name: the newest card, waiting decisions, the webhook's health.
import type { CardStatus } from '../../shared/card.ts'
import type { ListedChannel } from '../../shared/channel.ts'
import type { PageChannel } from '../../shared/workspace-live.ts'

/** Of the newest deliveries that ended; null without a webhook. */
export type WebhookHealth = { failed: number; of: number } | null
export type LastCard = { id: string; status: CardStatus; text: string; created_at: string } | null

/** Missing in responses of servers that don't know them yet. */
type Signs = { last_card?: LastCard; waiting?: number; webhook?: WebhookHealth }
export type SignedChannel = ListedChannel & Signs
export type LiveChannel = PageChannel & Signs

/** From this part of the newest deliveries on, a webhook counts as failing. */
const FAILING_PART = 0.25

export const isFailing = ({ webhook }: Signs) =>
  webhook != null && webhook.failed > 0 && webhook.failed >= webhook.of * FAILING_PART

export const waitingOf = ({ waiting = 0 }: Signs) => waiting

/** The newest card first; channels without cards last, in their order. */
export function byLastCard(channels: SignedChannel[]): SignedChannel[] {
  const time = ({ last_card }: SignedChannel) => (last_card ? Date.parse(last_card.created_at) : 0)
  return channels.toSorted((a, b) => time(b) - time(a))
}

export type Shown = 'all' | 'waiting' | 'failing'

export function isShown(channel: SignedChannel, shown: Shown, query: string): boolean {
  const wanted = shown === 'all' || (shown === 'waiting' ? waitingOf(channel) > 0 : isFailing(channel))
  return wanted && channel.name.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase())
}
