// The icon and name of a channel or workspace.
import { type JSX, Show } from 'solid-js'

type Named = { icon: string; name: string }

export const ChannelIcon = (props: { icon: string }): JSX.Element => (
  <span class="channel-icon" aria-hidden="true">
    {props.icon}
  </span>
)

export const ChannelName = (props: { of: Named }): JSX.Element => (
  <>
    <ChannelIcon icon={props.of.icon} />
    <span class="channel-words" dir="auto">
      {props.of.name}
    </span>
  </>
)

/** The heading of a channel's or workspace's page, in the top bar. */
export const PageName = (props: { of: Named }): JSX.Element => (
  <h1 class="channel-name across">
    <ChannelName of={props.of} />
  </h1>
)

/** The words of a line in a list of channels. */
export function ChannelWords(props: {
  channel: { icon: string; name: string; description: string | null }
}): JSX.Element {
  return (
    <>
      <ChannelIcon icon={props.channel.icon} />
      <span class="channel-line-words fill">
        <span class="channel-line-name" dir="auto">
          {props.channel.name}
        </span>
        <Show when={props.channel.description}>
          {description => (
            <span class="channel-line-about" dir="auto">
              {description()}
            </span>
          )}
        </Show>
      </span>
    </>
  )
}
