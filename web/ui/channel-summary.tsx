// What a list says about a channel: its newest card, its unread cards, and the decisions that wait in it.
import { type JSX, Show } from 'solid-js'
import type { ChannelSummary, LastCard } from '../../shared/channel-summary.ts'
import { formatDateTime, formatNumber, formatShortTime } from '../lib/format.ts'
import { shortCount } from '../lib/unread.ts'
import { Mark, STATUS_WORDS } from './status.tsx'
import { sharedNow } from './time-ago.tsx'
import './channel-summary.css'

export const textOfCard = ({ text }: LastCard) => text || 'A card without text'

export const ageOfCard = ({ created_at }: LastCard) => formatShortTime(created_at, sharedNow())

/** The newest card's mark and text, on one line. `count` is the number of cards in the channel. */
export function LastCardLine(props: { card: LastCard | null; count: number }): JSX.Element {
  return (
    <Show when={props.card} fallback={<span class="quiet">{props.count === 0 ? 'No cards yet' : ''}</span>}>
      {card => (
        <span class="last-card">
          <Mark status={card().status} />
          <span class="cut" dir="auto">
            <Show when={STATUS_WORDS[card().status]}>{word => <span class="sr-only">{word()}: </span>}</Show>
            {textOfCard(card())}
          </span>
        </span>
      )}
    </Show>
  )
}

/** When the newest card was created. */
export function LastCardTime(props: { card: LastCard | null }): JSX.Element {
  return (
    <Show when={props.card}>
      {card => (
        <time class="last-card-time" dateTime={card().created_at} title={formatDateTime(card().created_at)}>
          {ageOfCard(card())}
        </time>
      )}
    </Show>
  )
}

/** What a list says about the questions of a channel: how many need the viewer, otherwise how many wait for others. */
export const waitingSign = ({ needs_you, waiting }: Pick<ChannelSummary, 'needs_you' | 'waiting'>) =>
  needs_you > 0 ? { count: needs_you, you: true } : { count: waiting, you: false }

export function WaitingTag(props: { of: Pick<ChannelSummary, 'needs_you' | 'waiting'> }): JSX.Element {
  const sign = () => waitingSign(props.of)
  const words = () => {
    const { count, you } = sign()
    if (count === 1) return you ? 'Needs you' : 'Waiting'
    return `${formatNumber(count)} ${you ? 'need you' : 'waiting'}`
  }
  return (
    <Show when={sign().count > 0}>
      <span class="count waiting-tag" classList={{ 'count-you': sign().you }}>
        {words()}
      </span>
    </Show>
  )
}

/** The number of unread cards of a channel on this device. */
export function UnreadCount(props: { count: number }): JSX.Element {
  return (
    <Show when={props.count > 0}>
      <span class="count count-soft unread">
        {shortCount(props.count)}
        <span class="sr-only"> unread</span>
      </span>
    </Show>
  )
}
