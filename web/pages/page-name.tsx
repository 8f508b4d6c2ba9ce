// The heading of a channel's or workspace's page, in the top bar.
import type { JSX } from 'solid-js'

export function PageName(props: { icon: string; name: string }): JSX.Element {
  return (
    <h1 class="channel-name">
      <span class="channel-icon" aria-hidden="true">
        {props.icon}
      </span>
      <span class="channel-words" dir="auto">
        {props.name}
      </span>
    </h1>
  )
}
