// A channel's live feed whole: head, cards, replies, and what is on its way. The channel's page and the workspace's
// show the same one; what stands above it, and in its place where it is refused, each of them says.
import { type Accessor, createEffect, type JSX, Match, on, Show, Switch } from 'solid-js'
import { type ChannelFeed, createChannelFeed } from '../data/channel/channel-feed.ts'
import { FeedContext, useFeed } from '../data/channel/feed-context.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'
import type { Refusal } from '../lib/reconnect.ts'
import { IconCloudOff } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { ActingAs } from './acting-as.tsx'
import { ChannelHead } from './channel-head.tsx'
import { EmptyChannel } from './empty-channel.tsx'
import { FeedList } from './feed-list.tsx'
import { ActAnnouncer } from './interaction-announcer.tsx'
import { ActNotes } from './interaction-notes.tsx'
import { ReplyBox } from './reply-box.tsx'

export type LiveChannelProps = {
  /** Never changes: another channel has a feed of its own. */
  channelId: string
  above: (feed: ChannelFeed) => JSX.Element
  refused: (refusal: Accessor<Refusal>) => JSX.Element
}

export function LiveChannel(props: LiveChannelProps): JSX.Element {
  const feed = createChannelFeed(props.channelId)
  const outbox = useOutbox()
  // There is a connection, and access: what waits can go out.
  createEffect(on(feed.link, link => link.state === 'live' && outbox.wake()))
  const refusal = () => {
    const link = feed.link()
    return link.state === 'refused' ? link.refusal : undefined
  }
  return (
    <FeedContext.Provider value={feed}>
      <Show
        when={refusal()}
        fallback={
          <>
            {props.above(feed)}
            <Feed />
          </>
        }
      >
        {why => (
          <>
            {props.refused(why)}
            <div class="foot">
              <ActNotes all />
            </div>
          </>
        )}
      </Show>
    </FeedContext.Provider>
  )
}

/** The document's head is newer than the view's, and there while offline. */
export function headOf(feed: ChannelFeed) {
  return feed.state.head ?? feed.view()?.channel
}

function Feed(): JSX.Element {
  const feed = useFeed()
  const head = () => headOf(feed)
  return (
    <>
      <FeedList
        top={
          <>
            <Show when={head()}>{head => <ChannelHead head={head()} />}</Show>
            <BelowHead />
          </>
        }
      />
      <footer class="foot">
        <ActNotes />
        <Show when={head()?.mode === 'interactive'}>
          <ActingAs />
          <ReplyBox />
        </Show>
      </footer>
      <ActAnnouncer />
    </>
  )
}

/** What stands in the place of cards while there are none. */
function BelowHead(): JSX.Element {
  const feed = useFeed()
  return (
    <Show when={feed.ids().length === 0}>
      <Switch>
        <Match when={feed.state.head}>
          <EmptyChannel />
        </Match>
        <Match when={feed.link().state === 'offline'}>
          <Notice title="Not on this device yet" icon={<IconCloudOff />} heading="h2">
            <p>
              Nothing of this channel is kept on this device. It opens here as soon as there is a connection.
            </p>
          </Notice>
        </Match>
        <Match when={true}>
          <div class="skeletons" role="status" aria-label="Loading cards">
            <div class="skeleton" />
            <div class="skeleton" />
            <div class="skeleton" />
          </div>
        </Match>
      </Switch>
    </Show>
  )
}
