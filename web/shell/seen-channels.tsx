// The channels with a local copy, which open without a network. Empty if there are none.
import { A } from '@solidjs/router'
import { For, type JSX, Show } from 'solid-js'
import { readSeenChannels } from '../data/local-copy/channels.ts'
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
                <A class="channel-line" href={`/c/${channel.id}`}>
                  <span class="channel-icon" aria-hidden="true">
                    {channel.icon}
                  </span>
                  <span class="channel-line-words">
                    <span class="channel-line-name" dir="auto">
                      {channel.name}
                    </span>
                    <Show when={channel.description}>
                      <span class="channel-line-about">{channel.description}</span>
                    </Show>
                  </span>
                </A>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  )
}
