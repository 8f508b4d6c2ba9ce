// A channel's live feed: head, cards, interaction notes and the reply box.
import { type Accessor, createEffect, type JSX, Match, on, Show, Suspense, Switch } from 'solid-js'
import { Sentence } from '../card/decision/sentence.tsx'
import { onlyViewing, useInteractions } from '../card/interactions.ts'
import { createPageFeed, type PageFeed, useFeed } from '../data/channel/page-feed.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { optionalPart } from '../lib/optional-part.ts'
import { isUpToDate, type Refusal } from '../lib/reconnect.ts'
import { IconCloudOff, IconEye } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ChannelHeader } from './channel-head.tsx'
import { FeedList } from './feed-list.tsx'
import { FeedProvider, headOf } from './feed-provider.tsx'
import { createInteractionAnnouncer } from './interaction-announcer.ts'
import { InteractionNotes } from './interaction-notes.tsx'
import { createLastPage } from './last-page.ts'
import { ReplyBox } from './reply-box.tsx'
import { createRightNews } from './right-news.ts'
import './live-channel.css'

const EmptyChannel = optionalPart(() => import('./empty-channel.tsx'))

/** `channelId` is read once: another channel needs another LiveChannel. */
export function LiveChannel(props: {
  channelId: string
  above: (feed: PageFeed) => JSX.Element
  refused: (refusal: Accessor<Refusal>) => JSX.Element
}) {
  const feed = createPageFeed(props.channelId)
  const outbox = useOutbox()
  // A channel that is up to date proves connection and access, so waiting interactions can be sent. Without access, the server
  // refuses them, and the page says so.
  createEffect(on(feed.link, link => (isUpToDate(link) || link.state === 'refused') && outbox.wake()))
  createRightNews(feed)
  const refusal = () => {
    const link = feed.link()
    return link.state === 'refused' ? link.refusal : undefined
  }
  return (
    <FeedProvider feed={feed}>
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
              <InteractionNotes all />
            </div>
          </>
        )}
      </Show>
    </FeedProvider>
  )
}

function Feed() {
  const feed = useFeed()
  const head = () => headOf(feed)
  const { onlyViewer } = useInteractions()
  createInteractionAnnouncer()
  createLastPage(feed)
  return (
    <>
      <FeedList
        top={
          <>
            <Show when={head()}>{head => <ChannelHeader head={head()} />}</Show>
            <WithoutCards />
          </>
        }
      />
      <footer class="foot">
        <InteractionNotes />
        {/* The channel menu's script fills it. */}
        <div data-reply-news={feed.id} />
        <Show when={head()?.mode === 'interactive'}>
          <Show when={onlyViewer()} fallback={<ReplyBox name={head()?.name} />}>
            {viewer => (
              <p class="only-viewing">
                <IconEye />
                <span>
                  <Sentence words={onlyViewing(viewer())} />
                </span>
              </p>
            )}
          </Show>
        </Show>
      </footer>
    </>
  )
}

function WithoutCards() {
  const feed = useFeed()
  return (
    <Show when={feed.ids().length === 0}>
      <Switch>
        <Match when={feed.state.head}>
          <Suspense>
            <EmptyChannel />
          </Suspense>
        </Match>
        <Match when={feed.link().state === 'offline'}>
          <Notice title="Not on this device yet" icon={<IconCloudOff />} heading="h2">
            <p>Reconnect to open this channel.</p>
          </Notice>
        </Match>
        <Match when={true}>
          <Skeletons label="Loading cards" />
        </Match>
      </Switch>
    </Show>
  )
}
