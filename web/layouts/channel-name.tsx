// A channel's icon and name.
import type { JSX } from 'solid-js'

type Named = { channel: { icon: string; name: string } }

export const ChannelIcon = (props: Named): JSX.Element => (
  <span class="channel-icon" aria-hidden="true">
    {props.channel.icon}
  </span>
)

export const ChannelName = (props: Named): JSX.Element => (
  <span class="channel-words" dir="auto">
    {props.channel.name}
  </span>
)
