// The list layout: a row of two lines for each channel, which opens the channel's own page. The newest card stands in place
// of the description.
import { A } from '@solidjs/router'
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { countOf } from '../lib/format.ts'
import { onKey } from '../lib/on-key.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { useChannelNow } from './channel-now.ts'
import { ChannelRow } from './channel-row.tsx'
import { moveFocus } from './list-keys.ts'
import { NoMatch } from './no-channels.tsx'
import { Tools } from './tools.tsx'
import './list.css'

export function ListLayout(): JSX.Element {
  const { search } = useWorkspace()
  let list: HTMLUListElement | undefined
  return (
    <main class="page channels-page">
      <Tools onArrowDown={() => list?.querySelector('a')?.focus()} />
      <Show when={search.channels().length > 0} fallback={<NoMatch />}>
        <ul class="channels" ref={list} onKeyDown={onKey(moveFocus)} aria-label="Channels">
          <For each={search.channels()}>{channel => <ChannelLine channel={channel} />}</For>
        </ul>
      </Show>
    </main>
  )
}

function ChannelLine(props: { channel: PageChannel }): JSX.Element {
  const now = useChannelNow(() => props.channel)
  const id = createUniqueId()
  return (
    <li>
      <A
        class="channel-row list-line"
        classList={{ 'has-unread': now.unread() > 0 }}
        href={`/c/${props.channel.id}`}
        aria-describedby={`${id}-about ${id}-count`}
      >
        <ChannelRow
          channel={props.channel}
          now={now}
          about={
            <Show when={props.channel.description}>
              {description => (
                <span
                  class="channel-line-about"
                  classList={{ 'sr-only': now.lastCard() !== null }}
                  id={`${id}-about`}
                  dir="auto"
                >
                  {description()}
                </span>
              )}
            </Show>
          }
          note={
            <Show when={now.cardCount() > 0}>
              <span class="sr-only" id={`${id}-count`}>
                {countOf(now.cardCount(), 'card', 'cards')}
              </span>
            </Show>
          }
        />
      </A>
    </li>
  )
}
