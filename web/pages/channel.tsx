// The page of one channel: its live cards, or why they can't be opened.
import { useParams } from '@solidjs/router'
import { createMemo, createSignal, type JSX, lazy, Show } from 'solid-js'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { useReadMarks } from '../data/read-marks.tsx'
import { ChannelMenu } from '../feed/channel-menu.tsx'
import { headOf } from '../feed/feed-provider.tsx'
import { LinkStatus, OfflineNote } from '../feed/link-status.tsx'
import { LiveChannel } from '../feed/live-channel.tsx'
import { unreadIn } from '../feed/read-mark.ts'
import { Crumb, TopBar } from '../shell/top-bar.tsx'
import { PageName } from '../ui/channel-name.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'

const NoAccessPage = lazy(() =>
  import('../feed/no-access.tsx').then(({ NoAccessPage }) => ({ default: NoAccessPage })),
)

export function ChannelPage(): JSX.Element {
  const params = useParams<{ channel_id: string }>()
  const [visit, setVisit] = createSignal(0)
  // Opens a new feed for another channel, and after access may have changed.
  const key = createMemo(() => `${params.channel_id} ${visit()}`)
  return (
    <Show when={key()} keyed>
      {_ => (
        <LiveChannel
          channelId={params.channel_id}
          above={feed => <Above feed={feed} />}
          refused={refusal => (
            <NoAccessPage
              refusal={refusal()}
              to={{ channel_id: params.channel_id }}
              onAccess={() => setVisit(count => count + 1)}
            />
          )}
        />
      )}
    </Show>
  )
}

function Above(props: { feed: PageFeed }): JSX.Element {
  const head = () => headOf(props.feed)
  const marks = useReadMarks()
  /** Only offline: otherwise the name arrives at once, and a placeholder would flash. */
  const nameless = () => props.feed.link().state === 'offline' && <h1 class="bar-app">Channel Feed</h1>
  createDocumentTitle(
    () => head()?.name,
    () => unreadIn(props.feed, marks),
  )
  return (
    <>
      <TopBar
        title={
          <span class="across">
            {/* A view from before this version has none. */}
            <Show when={props.feed.view()?.workspace}>{workspace => <Crumb of={workspace()} />}</Show>
            <Show when={head()} fallback={nameless()}>
              {head => <PageName of={head()} />}
            </Show>
          </span>
        }
        aside={<LinkStatus link={props.feed.link()} />}
        menu={<ChannelMenu feed={props.feed} />}
      />
      <OfflineNote link={props.feed.link()} what="Cards" lastUpdatedAt={props.feed.lastUpdatedAt()} />
    </>
  )
}
