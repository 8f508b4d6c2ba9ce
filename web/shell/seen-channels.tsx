// The channels that have a local copy and so open without a network. Empty without any.
import { A } from '@solidjs/router'
import { For, type JSX, Show } from 'solid-js'
import { readSeenChannels } from '../data/local-copy/channels.ts'
import { createLoad } from '../ui/load.tsx'

export function SeenChannels(): JSX.Element {
  const { load } = createLoad(readSeenChannels)
  const seen = () => {
    const now = load()
    return now.state === 'ready' && now.value.length > 0 ? now.value : undefined
  }
  return (
    <Show when={seen()}>
      {seen => (
        <section class="workspace">
          <h2>Seen on this device</h2>
          <ul class="channels">
            <For each={seen()}>
              {({ view }) => (
                <li>
                  <A class="channel-line" href={`/c/${view.channel.id}`}>
                    <span class="channel-icon" aria-hidden="true">
                      {view.channel.icon}
                    </span>
                    <span class="channel-line-words">
                      <span class="channel-line-name" dir="auto">
                        {view.channel.name}
                      </span>
                      <Show when={view.channel.description}>
                        {description => <span class="channel-line-about">{description()}</span>}
                      </Show>
                    </span>
                  </A>
                </li>
              )}
            </For>
          </ul>
        </section>
      )}
    </Show>
  )
}
