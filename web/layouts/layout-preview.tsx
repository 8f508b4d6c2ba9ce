// A small picture of a workspace's page to choose a layout by, drawn with the page's own components. Nothing in it can be
// pressed, nothing connects, and no visit counts.
import { createMemo, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { DEFAULT_CHANNEL_ICON } from '../../shared/channel.ts'
import type { LastCard } from '../../shared/channel-summary.ts'
import type { PageChannel, ViewedWorkspace } from '../../shared/workspace-live.ts'
import { createMedia, NARROW } from '../lib/media.ts'
import { PageName } from '../ui/channel-name.tsx'
import { LastCardLine } from '../ui/channel-summary.tsx'
import { filterGroups } from '../workspace/matching.ts'
import { WorkspaceContext, type WorkspaceState } from '../workspace/workspace-context.ts'
import { GridLayout } from './grid.tsx'
import { ListLayout } from './list.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'
import './channel-pane.css'
import './layouts.css'
import './layout-preview.css'

/** More don't fit. */
const CHANNELS_MAX = 8
/** How wide the page is before it is drawn small (px). */
const PAGE_PX = { wide: 760, narrow: 390 }

export function LayoutPreview(props: {
  page: ViewedWorkspace
  layout: ViewedWorkspace['workspace']['layout']
}): JSX.Element {
  const narrow = createMedia(NARROW)
  const [scale, setScale] = createSignal(0)
  const width = () => (narrow() ? PAGE_PX.narrow : PAGE_PX.wide)
  const page = createMemo(() => ({
    ...props.page,
    channels: props.page.channels.length > 0 ? props.page.channels.slice(0, CHANNELS_MAX) : SAMPLES,
  }))
  const first = () => page().channels[0]
  const watch = new ResizeObserver(entries => setScale((entries.at(-1)?.contentRect.width ?? 0) / width()))
  onCleanup(() => watch.disconnect())
  return (
    <div class="layout-picture" ref={box => watch.observe(box)} aria-hidden="true" inert>
      <div class="layout-page" style={{ width: `${width()}px`, scale: scale() }}>
        <WorkspaceContext.Provider value={stillWorkspace(page)}>
          <Switch>
            <Match when={props.layout === 'sidebar'}>
              <div class="with-feed with-sidebar">
                <Sidebar alone={narrow()} hidden={false} />
                <Show when={!narrow()}>
                  <Pane channel={first()} named />
                </Show>
              </div>
            </Match>
            <Match when={props.layout === 'tabs'}>
              <Head page={page()} />
              <TabBar />
              <Pane channel={first()} />
            </Match>
            <Match when={props.layout === 'list'}>
              <Head page={page()} />
              <ListLayout />
            </Match>
            <Match when={props.layout === 'grid'}>
              <Head page={page()} />
              <GridLayout />
            </Match>
          </Switch>
        </WorkspaceContext.Provider>
      </div>
    </div>
  )
}

const Head = (props: { page: ViewedWorkspace }) => (
  <div class="bar line">
    <PageName of={props.page.workspace} />
  </div>
)

/** The open channel with its newest card. Its feed would connect. */
const Pane = (props: { channel: PageChannel | undefined; named?: boolean }) => (
  <div class="pane fill">
    <Show when={props.channel}>
      {channel => (
        <>
          <Show when={props.named}>
            <div class="bar line">
              <PageName of={channel()} />
            </div>
          </Show>
          <div class="page">
            <div class="box tile-newest">
              <LastCardLine card={channel().last_card} count={channel().card_count} />
            </div>
          </div>
        </>
      )}
    </Show>
  </div>
)

/** The page as it was read: nobody searches it, opens a channel, or has unread cards. */
function stillWorkspace(page: () => ViewedWorkspace): WorkspaceState {
  const nothing = () => undefined
  const groups = createMemo(() =>
    filterGroups(page().attribute_settings, page().channels, () => true, new Map()),
  )
  return {
    still: true,
    page,
    view: {
      link: () => ({ state: 'live' }),
      feed: nothing,
      setFeed: nothing,
      lastUpdatedAt: nothing,
      cardCount: ({ card_count }) => card_count,
      summary: channel => channel,
      unread: () => 0,
    },
    search: {
      state: () => 'all',
      setState: nothing,
      text: () => '',
      setText: nothing,
      save: nothing,
      count: () => 0,
      groups,
      channels: () => page().channels,
      toggle: nothing,
      clear: nothing,
      active: () => false,
    },
    choice: {
      id: () => page().channels[0]?.id,
      channel: () => page().channels[0],
      pathTo: () => '#',
      choose: nothing,
      message: () => '',
    },
  }
}

const sample = (name: string, icon: string, card: Pick<LastCard, 'status' | 'text'>): PageChannel => ({
  id: name,
  name,
  icon,
  description: null,
  mode: 'view',
  card_count: 1,
  attributes: {},
  waiting: 0,
  needs_you: 0,
  webhook: null,
  last_card: { id: name, created_at: new Date().toISOString(), ...card },
})

const SAMPLES = [
  sample('Deploys', '🚀', { status: 'success', text: 'Website 2.6.0 is live' }),
  sample('Alerts', '🚨', { status: 'error', text: 'Error rate above 2 %' }),
  sample('Backups', DEFAULT_CHANNEL_ICON, { status: 'default', text: '214 files saved' }),
]
