// What the layouts show of a channel beside its name, live, and as one sentence for screen readers.
import type { Accessor } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { formatNumber } from '../lib/format.ts'
import { ageOfCard, textOfCard, waitingSign } from '../ui/channel-summary.tsx'
import { STATUS_WORDS } from '../ui/status.tsx'
import { labelsOf } from '../workspace/matching.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'

export type ChannelNow = ReturnType<typeof useChannelNow>

export function useChannelNow(channel: Accessor<PageChannel>) {
  const { view, page } = useWorkspace()
  const unread = () => view.unread(channel().id)
  const cardCount = () => view.cardCount(channel())
  const summary = () => view.summary(channel())
  const lastCard = () => summary().last_card

  /** Such as “Deploys, 3 unread, 1 waiting”. */
  function shortLabel(): string {
    const parts = [channel().name]
    if (unread() > 0) parts.push(`${formatNumber(unread())} unread`)
    const { count, you } = waitingSign(summary())
    if (count > 0) parts.push(waitingText(count, you))
    return parts.join(', ')
  }

  /** Also the attributes, and the newest card with its status and time. */
  function label(): string {
    const values = labelsOf(page().attribute_settings, channel()).map(({ value }) => value)
    return [shortLabel(), ...values, lastCardText()].join(', ')
  }

  function lastCardText(): string {
    const card = lastCard()
    if (!card) return 'no cards yet'
    const status = STATUS_WORDS[card.status]
    return `last card: ${status ? `${status}: ` : ''}${textOfCard(card)}, ${ageOfCard(card)}`
  }

  return { unread, cardCount, lastCard, summary, shortLabel, label }
}

function waitingText(count: number, you: boolean): string {
  const verb = count === 1 ? 'needs you' : 'need you'
  return `${formatNumber(count)} ${you ? verb : 'waiting'}`
}
