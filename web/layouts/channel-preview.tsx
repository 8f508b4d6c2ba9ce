// The newest cards of a channel, live. Its parent makes it inert: it is only to look at.
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { Card } from '../card/card.tsx'
import { createChannelFeed } from '../data/channel/channel-feed.ts'
import { FeedContext } from '../data/channel/feed-context.ts'

const CARDS = 3

/** `channelId` never changes. */
export function ChannelPreview(props: { channelId: string }): JSX.Element {
  const feed = createChannelFeed(props.channelId)
  const newest = () => feed.ids().slice(0, CARDS)
  return (
    <FeedContext.Provider value={feed}>
      <For each={newest()} fallback={<NoCards loaded={feed.state.head !== null} link={feed.link().state} />}>
        {(id, index) => (
          <Show when={feed.state.cards[id]}>
            {card => <Card card={card()} position={index() + 1} total={newest().length} />}
          </Show>
        )}
      </For>
    </FeedContext.Provider>
  )
}

function NoCards(props: { loaded: boolean; link: string }): JSX.Element {
  return (
    <Switch fallback={<PreviewSkeleton />}>
      <Match when={props.loaded}>
        <p class="tile-empty">No cards yet</p>
      </Match>
      <Match when={props.link === 'offline'}>
        <p class="tile-empty">Not on this device yet</p>
      </Match>
    </Switch>
  )
}

export function PreviewSkeleton(): JSX.Element {
  return (
    <>
      <div class="skeleton box" />
      <div class="skeleton box" />
    </>
  )
}
