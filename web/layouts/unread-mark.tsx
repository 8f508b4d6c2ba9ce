// The number of unread cards of a channel on this device.
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
