// The grid layout: a tile for each channel with its newest cards, live. A click opens the channel's own page.
import { A } from '@solidjs/router'
import { For, type JSX, onMount, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { CardView } from '../card/card.tsx'
import { isLine } from '../card/card-layout.ts'
import { createPageFeed } from '../data/channel/page-feed.ts'
import { FeedProvider } from '../feed/feed-provider.tsx'
import { countOf } from '../lib/format.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { LastCardLine, UnreadCount } from '../ui/channel-summary.tsx'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { type ChannelNow, useChannelNow } from './channel-now.ts'
import { TagOrTime } from './channel-row.tsx'
import { Labels } from './labels.tsx'
import { NoMatch } from './no-channels.tsx'
import { Tools } from './tools.tsx'
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
  const { still } = useWorkspace()
  const now = useChannelNow(() => props.channel)
  let tile: HTMLLIElement | undefined
  onMount(() => tile && !still && props.tiles.watch(tile, props.channel.id))
  return (
    <li
      class="box tile"
      classList={{ 'has-unread': now.unread() > 0, 'tile-without-cards': now.cardCount() === 0 }}
      ref={tile}
    >
      <header class="tile-head">
        <ChannelIcon icon={props.channel.icon} />
        <div class="channel-row-words">
          <div class="channel-row-line">
            <A
              class="tile-name"
              href={`/c/${props.channel.id}`}
              title={props.channel.name}
              aria-label={now.label()}
            >
              <span class="channel-row-name" dir="auto">
                {props.channel.name}
              </span>
            </A>
            <span class="channel-row-end">
              <TagOrTime now={now} />
            </span>
          </div>
          <div class="channel-row-line">
            <span class="channel-line-note">{countOf(now.cardCount(), 'card', 'cards')}</span>
            <Labels channel={props.channel} />
            <span class="channel-row-end">
              <UnreadCount count={now.unread()} />
            </span>
          </div>
        </div>
      </header>
      <div class="tile-cards" inert>
        <Show when={props.tiles.isLive(props.channel.id)} fallback={<NewestLine now={now} />}>
          <ChannelPreview channelId={props.channel.id} now={now} />
        </Show>
      </div>
    </li>
  )
}

/** The newest card while the others aren't here. The workspace's page knows it without a connection to the channel. */
function NewestLine(props: { now: ChannelNow }): JSX.Element {
  return (
    <div class="tile-newest">
      <LastCardLine card={props.now.lastCard()} count={props.now.cardCount()} />
    </div>
  )
}

const CARDS = 3

function ChannelPreview(props: { channelId: string; now: ChannelNow }): JSX.Element {
  const feed = createPageFeed(props.channelId, false)
  const newest = () => feed.ids().slice(0, CARDS)
  const isMissing = () =>
    feed.state.head === null && feed.link().state === 'offline' && props.now.cardCount() > 0
  /** A hairline stands below a card with more than a line. */
  const isAfterRich = (index: number) => {
    const above = feed.state.cards[newest()[index - 1] ?? '']
    return above !== undefined && !isLine(above.blocks)
  }
  return (
    <FeedProvider feed={feed}>
      <For
        each={newest()}
        fallback={
          <>
            <NewestLine now={props.now} />
            <Show when={isMissing()}>
              <p class="quiet tile-empty">Not on this device yet</p>
            </Show>
          </>
        }
      >
        {(id, index) => (
          <Show when={feed.state.cards[id]}>
            {card => (
              <CardView
                card={card()}
                position={index() + 1}
                total={newest().length}
                slice={{ 'is-first': index() === 0, 'after-rich': isAfterRich(index()) }}
              />
            )}
          </Show>
        )}
      </For>
    </FeedProvider>
  )
}
