// A channel: its cards, live, or why they are not shown.
import { useParams } from '@solidjs/router'
import { createEffect, createMemo, createSignal, type JSX, Match, on, Show, Switch } from 'solid-js'
import { ActAnnouncer } from '../feed/act-announcer.tsx'
import { ActNotes } from '../feed/act-notes.tsx'
import { createChannelFeed } from '../feed/channel-feed.ts'
import { FeedContext, useFeed } from '../feed/feed-context.ts'
import { FeedList } from '../feed/feed-list.tsx'
import { LinkSign, OfflineNote } from '../feed/link-sign.tsx'
import { useOutbox } from '../feed/outbox-context.tsx'
import { ReplyBox } from '../feed/reply-box.tsx'
import { createDocumentTitle } from '../shell/document-title.ts'
import { IconCloudOff } from '../shell/icons.tsx'
import { Notice } from '../shell/notice.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { ChannelHead } from './channel-head.tsx'
import { ChannelRefused } from './channel-refused.tsx'
import { EmptyChannel } from './empty-channel.tsx'

export function ChannelPage(): JSX.Element {
  const params = useParams<{ channel_id: string }>()
  const [visit, setVisit] = createSignal(0)
  // A new feed for another channel, and when access may have changed.
  const key = createMemo(() => `${params.channel_id} ${visit()}`)
  return (
    <Show when={key()} keyed>
      {_ => <OpenChannel channelId={params.channel_id} onAccess={() => setVisit(count => count + 1)} />}
    </Show>
  )
}

function OpenChannel(props: { channelId: string; onAccess: () => void }): JSX.Element {
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
      <Show when={refusal()} fallback={<Feed />}>
        {why => (
          <>
            <ChannelRefused refusal={why()} channelId={props.channelId} onAccess={props.onAccess} />
            <div class="foot">
              <ActNotes all />
            </div>
          </>
        )}
      </Show>
    </FeedContext.Provider>
  )
}

function Feed(): JSX.Element {
  const feed = useFeed()
  // The document's head is newer than the view's, and there while offline.
  const head = () => feed.state.head ?? feed.view()?.channel
  createDocumentTitle(() => head()?.name)
  return (
    <>
      <TopBar
        title={
          <Show when={head()}>
            {head => (
              <h1 class="channel-name">
                <span class="channel-icon" aria-hidden="true">
                  {head().icon}
                </span>
                <span class="channel-words">{head().name}</span>
              </h1>
            )}
          </Show>
        }
        aside={<LinkSign />}
      />
      <OfflineNote />
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
