// The grid layout: a tile for each channel with its newest cards, live. A click opens the channel's own page.
import { A } from '@solidjs/router'
import { For, type JSX, onMount, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { Card } from '../card/card.tsx'
import { createChannelFeed, FeedContext } from '../data/channel/channel-feed.ts'
import { countOf } from '../lib/format.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { Labels } from './labels.tsx'
import { NoMatch } from './no-channels.tsx'
import { Tools } from './tools.tsx'
import { UnreadMark } from './unread-mark.tsx'
import { createVisibleTiles, type VisibleTiles } from './visible-tiles.ts'
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
          <For each={search.channels()}>{channel => <Tile channel={channel} tiles={tiles} />}</For>
        </ul>
      </Show>
    </main>
  )
}

function Tile(props: { channel: PageChannel; tiles: VisibleTiles }): JSX.Element {
  const { view } = useWorkspace()
  let tile: HTMLLIElement | undefined
  onMount(() => tile && props.tiles.watch(tile, props.channel.id))
  return (
    <li class="box tile" ref={tile}>
      <header class="tile-head">
        <ChannelIcon icon={props.channel.icon} />
        <div class="fill">
          <A class="tile-name across" href={`/c/${props.channel.id}`} title={props.channel.name}>
            <span class="channel-words" dir="auto">
              {props.channel.name}
            </span>
            <UnreadMark count={view.unread(props.channel.id)} />
          </A>
          <p class="quiet cut tile-note across">
            {countOf(view.cardCount(props.channel), 'card', 'cards')}
            <Labels channel={props.channel} />
          </p>
        </div>
      </header>
      <div class="tile-cards stack" inert>
        <Show when={props.tiles.isLive(props.channel.id)} fallback={<PreviewSkeleton />}>
          <ChannelPreview channelId={props.channel.id} />
        </Show>
      </div>
    </li>
  )
}

const CARDS = 3

function ChannelPreview(props: { channelId: string }): JSX.Element {
  const feed = createChannelFeed(props.channelId)
  const newest = () => feed.ids().slice(0, CARDS)
  const emptyText = () => {
    if (feed.state.head !== null) return 'No cards yet'
    return feed.link().state === 'offline' && 'Not on this device yet'
  }
  return (
    <FeedContext.Provider value={feed}>
      <For
        each={newest()}
        fallback={
          <Show when={emptyText()} fallback={<PreviewSkeleton />}>
            {text => <p class="quiet tile-empty">{text()}</p>}
          </Show>
        }
      >
        {(id, index) => (
          <Show when={feed.state.cards[id]}>
            {card => <Card card={card()} position={index() + 1} total={newest().length} />}
          </Show>
        )}
      </For>
    </FeedContext.Provider>
  )
}

function PreviewSkeleton(): JSX.Element {
  return (
    <>
      <div class="skeleton" />
      <div class="skeleton" />
    </>
  )
}
