// The channels with a local copy, which open without a network. Empty if there are none.
import { A } from '@solidjs/router'
import { For, type JSX, Show } from 'solid-js'
import { readSeenChannels } from '../data/local-copy/channels.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { createLoad, readyValue } from '../ui/load.tsx'

export function SeenChannels(): JSX.Element {
  const { load } = createLoad(readSeenChannels)
  const seen = () => readyValue(load()) ?? []
  return (
    <Show when={seen().length > 0}>
      <section class="workspace">
        <h2>Seen on this device</h2>
        <ul class="channels">
          <For each={seen()}>
            {({ view: { channel } }) => (
              <li>
                <A class="channel-line across" href={`/c/${channel.id}`}>
                  <ChannelWords channel={channel} />
                </A>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  )
}

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
          {description => <span class="channel-line-about">{description()}</span>}
        </Show>
      </span>
    </>
  )
}
