// The newest cards of a channel as they stand, live. Only to look at: whoever shows it makes it inert.
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
      <For each={newest()} fallback={<Nothing known={feed.state.head !== null} link={feed.link().state} />}>
        {(id, index) => (
          <Show when={feed.state.cards[id]}>
            {card => <Card card={card()} position={index() + 1} total={newest().length} />}
          </Show>
        )}
      </For>
    </FeedContext.Provider>
  )
}

function Nothing(props: { known: boolean; link: string }): JSX.Element {
  return (
    <Switch fallback={<PreviewWaiting />}>
      <Match when={props.known}>
        <p class="tile-nothing">No cards yet</p>
      </Match>
      <Match when={props.link === 'offline'}>
        <p class="tile-nothing">Not on this device yet</p>
      </Match>
    </Switch>
  )
}

export function PreviewWaiting(): JSX.Element {
  return (
    <>
      <div class="skeleton" />
      <div class="skeleton" />
    </>
  )
}
