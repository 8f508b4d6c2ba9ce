// Which channels a list shows, and in which order.
import type { SummarizedChannel } from '../../shared/channel.ts'

/** From this part of the newest deliveries on, a webhook counts as failing. */
const FAILING_PART = 0.25

type Webhook = Pick<SummarizedChannel, 'webhook'>

export const isFailing = ({ webhook }: Webhook) =>
  webhook !== null && webhook.failed > 0 && webhook.failed >= webhook.of * FAILING_PART

/** The newest card first; channels without cards last, in their order. */
export function byLastCard<T extends SummarizedChannel>(channels: T[]): T[] {
  const time = ({ last_card }: T) => (last_card ? Date.parse(last_card.created_at) : 0)
  return channels.toSorted((a, b) => time(b) - time(a))
}

const SHOWN = ['all', 'waiting', 'failing'] as const
export type Shown = (typeof SHOWN)[number]
export const readShown = (value: unknown): Shown => SHOWN.find(shown => shown === value) ?? 'all'

export function isShown(channel: SummarizedChannel, shown: Shown, query: string): boolean {
  const wanted = shown === 'all' || (shown === 'waiting' ? channel.needs_you > 0 : isFailing(channel))
  return wanted && channel.name.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase())
}
