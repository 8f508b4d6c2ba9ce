// The words of a channel's link in the sidebar and the list: its name and labels, and below them its newest card.
import { type JSX, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { LastCardLine, LastCardTime, UnreadCount, WaitingTag } from '../ui/channel-summary.tsx'
import type { ChannelNow } from './channel-now.ts'
import { Labels } from './labels.tsx'
import './channel-row.css'

/** `about` stands between the two lines, `note` at the end of the second. */
export function ChannelRow(props: {
  channel: PageChannel
  now: ChannelNow
  about?: JSX.Element
  note?: JSX.Element
}): JSX.Element {
  return (
    <>
      <ChannelIcon icon={props.channel.icon} />
      {/* Names the link: sentences instead of the words below. */}
      <span class="sr-only" role="img" aria-label={props.now.label()} />
      <span class="channel-row-words" aria-hidden="true">
        <span class="channel-row-line">
          <span class="channel-row-name" dir="auto" title={props.channel.name}>
            {props.channel.name}
          </span>
          <Labels channel={props.channel} />
          <span class="channel-row-end">
            <TagOrTime now={props.now} />
          </span>
        </span>
        {props.about}
        <span class="channel-row-line channel-row-last">
          <LastCardLine card={props.now.lastCard()} count={props.now.cardCount()} />
          <span class="channel-row-end">
            <UnreadCount count={props.now.unread()} />
            {props.note}
          </span>
        </span>
      </span>
    </>
  )
}

/** A decision that waits is more important than the age of the newest card. */
export function TagOrTime(props: { now: ChannelNow }): JSX.Element {
  return (
    <Show when={props.now.summary().waiting > 0} fallback={<LastCardTime card={props.now.lastCard()} />}>
      <WaitingTag of={props.now.summary()} />
    </Show>
  )
}
