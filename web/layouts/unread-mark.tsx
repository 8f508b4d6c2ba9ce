// How many cards of a channel are unread on this device; nothing if none are.
import { type JSX, Show } from 'solid-js'
import { shortCount } from '../lib/unread.ts'

export function UnreadMark(props: { count: number }): JSX.Element {
  return (
    <Show when={props.count > 0}>
      <span class="unread">
        {shortCount(props.count)}
        <span class="sr-only"> unread</span>
      </span>
    </Show>
  )
}
