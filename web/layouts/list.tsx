// The list layout: a line for each channel, which opens the channel's own page.
import { A } from '@solidjs/router'
import { For, type JSX, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { countOf } from '../lib/format.ts'
import { ChannelWords } from '../ui/channel-name.tsx'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { Labels } from './labels.tsx'
import { moveFocus } from './list-keys.ts'
import { NoMatch } from './no-channels.tsx'
import { Tools } from './tools.tsx'
import { UnreadMark } from './unread-mark.tsx'
import './list.css'

export function ListLayout(): JSX.Element {
  const { search } = useWorkspace()
  let list: HTMLUListElement | undefined
  return (
    <main class="page channels-page">
      <Tools onArrowDown={() => list?.querySelector('a')?.focus()} />
      <Show when={search.channels().length > 0} fallback={<NoMatch />}>
        <ul class="channels" ref={list} onKeyDown={moveFocus} aria-label="Channels">
          <For each={search.channels()}>{channel => <ChannelLine channel={channel} />}</For>
        </ul>
      </Show>
    </main>
  )
}

function ChannelLine(props: { channel: PageChannel }): JSX.Element {
  const { view } = useWorkspace()
  const unread = () => view.unread(props.channel.id)
  return (
    <li>
      <A
        class="channel-line across"
        href={`/c/${props.channel.id}`}
        classList={{ 'has-unread': unread() > 0 }}
      >
        <ChannelWords channel={props.channel} labels={<Labels channel={props.channel} />} />
        <UnreadMark count={unread()} />
        <span class="channel-line-note">{countOf(view.cardCount(props.channel), 'card', 'cards')}</span>
      </A>
    </li>
  )
}
