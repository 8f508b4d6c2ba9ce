// The grid layout: a tile for each channel with its newest cards, live. A click opens the channel's own page.
import { A } from '@solidjs/router'
import { For, type JSX, onMount, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { countOf } from '../lib/format.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { ChannelPreview, PreviewSkeleton } from './channel-preview.tsx'
import { Labels } from './labels.tsx'
import { NoMatch } from './no-channels.tsx'
import { Tools } from './tools.tsx'
import { UnreadMark } from './unread-mark.tsx'
import { createVisibleTiles } from './visible-tiles.ts'
import './grid.css'

export function GridLayout(): JSX.Element {
  const { search } = useWorkspace()
  const tiles = createVisibleTiles(() => search.channels().map(({ id }) => id))
  let grid: HTMLUListElement | undefined
  return (
    <main class="page grid-page">
      <Tools onArrowDown={() => grid?.querySelector('a')?.focus()} />
      <Show when={search.channels().length > 0} fallback={<NoMatch />}>
        <ul class="grid" ref={grid} aria-label="Channels">
          <For each={search.channels()}>
            {channel => (
              <Tile
                channel={channel}
                live={tiles.isLive(channel.id)}
                watch={element => tiles.watch(element, channel.id)}
              />
            )}
          </For>
        </ul>
      </Show>
    </main>
  )
}

type TileProps = { channel: PageChannel; live: boolean; watch: (element: Element) => void }

function Tile(props: TileProps): JSX.Element {
  const { view } = useWorkspace()
  let tile: HTMLLIElement | undefined
  onMount(() => tile && props.watch(tile))
  return (
    <li class="tile" ref={tile}>
      <header class="tile-head">
        <span class="channel-icon" aria-hidden="true">
          {props.channel.icon}
        </span>
        <div class="tile-text">
          <A class="tile-name" href={`/c/${props.channel.id}`} title={props.channel.name}>
            <span class="channel-words" dir="auto">
              {props.channel.name}
            </span>
            <UnreadMark count={view.unread(props.channel.id)} />
          </A>
          <p class="tile-note">
            {countOf(view.cardCount(props.channel), 'card', 'cards')}
            <Labels channel={props.channel} />
          </p>
        </div>
      </header>
      <div class="tile-cards" inert>
        <Show when={props.live} fallback={<PreviewSkeleton />}>
          <ChannelPreview channelId={props.channel.id} />
        </Show>
      </div>
    </li>
  )
}
