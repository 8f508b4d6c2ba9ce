// The channels with a local copy, which open without a network. Empty if there are none.
import { A } from '@solidjs/router'
import { For, type JSX, Show } from 'solid-js'
import { readSeenChannels } from '../data/local-copy/channels.ts'
import { ChannelWords } from '../ui/channel-name.tsx'
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
