// The open channel's feed, beside the sidebar or below the tabs. It survives a change between these two layouts.
import { A } from '@solidjs/router'
import { type JSX, onCleanup, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { ChannelMenu } from '../feed/channel-menu.tsx'
import { OfflineNote } from '../feed/link-status.tsx'
import { LiveChannel } from '../feed/live-channel.tsx'
import { NoAccess } from '../feed/no-access.tsx'
import { ChannelName } from '../ui/channel-name.tsx'
import { IconOpen } from '../ui/page-icons.tsx'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { PANEL_ID, tabId } from './tab-bar.tsx'
import './channel-pane.css'

/** `tabs`: the tabs above name the channel. `over`: the pane covers the list, and the top bar names the channel. */
export function ChannelPane(props: { tabs: boolean; over: boolean; onAccess: () => void }): JSX.Element {
  const { choice } = useWorkspace()
  const panel = () => {
    const id = choice.id()
    return props.tabs && id !== undefined ? { role: 'tabpanel' as const, 'aria-labelledby': tabId(id) } : {}
  }
  return (
    <div class="pane fill" id={PANEL_ID} {...panel()}>
      <Show when={choice.message()}>
        {message => (
          <p class="channel-message" role="status">
            {message()}
            <Show when={choice.channel()}>{channel => <> This is “{channel().name}”.</>}</Show>
          </p>
        )}
      </Show>
      <Show when={choice.id()} keyed>
        {id => (
          <LiveChannel
            channelId={id}
            above={feed => <Above feed={feed} hasHead={!props.tabs && !props.over} />}
            refused={refusal => (
              <main class="feed-scroller">
                <NoAccess refusal={refusal()} to={{ channel_id: id }} onAccess={props.onAccess} />
              </main>
            )}
          />
        )}
      </Show>
    </div>
  )
}

export function WorkspaceOfflineNote(): JSX.Element {
  const { view } = useWorkspace()
  return (
    <OfflineNote
      link={view.link()}
      what={view.feed()?.lastUpdatedAt() ? 'Cards' : 'Channels'}
      lastUpdatedAt={view.lastUpdatedAt()}
    />
  )
}

function Above(props: { feed: PageFeed; hasHead: boolean }): JSX.Element {
  const { view, choice } = useWorkspace()
  view.setFeed(props.feed)
  onCleanup(() => view.setFeed(before => (before === props.feed ? undefined : before)))
  return (
    <Show when={props.hasHead && choice.channel()}>
      {channel => (
        <>
          <PaneHead channel={channel()} feed={props.feed} />
          <WorkspaceOfflineNote />
        </>
      )}
    </Show>
  )
}

function PaneHead(props: { channel: PageChannel; feed: PageFeed }): JSX.Element {
  return (
    <section class="pane-head" aria-label="Open channel">
      <div class="pane-title across">
        <h2 class="channel-name across">
          <ChannelName of={props.channel} />
        </h2>
        <span class="pane-tools">
          <A
            class="icon-button"
            href={`/c/${props.channel.id}`}
            aria-label={`Open ${props.channel.name} on its own page`}
            title="Open on its own page"
          >
            <IconOpen />
          </A>
          <ChannelMenu feed={props.feed} />
        </span>
      </div>
    </section>
  )
}
