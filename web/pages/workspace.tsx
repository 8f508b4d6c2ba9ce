// A workspace's page: its live channels, in the layout that its owner chose.
import { useParams } from '@solidjs/router'
import { createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import type { ViewedWorkspace as Page } from '../../shared/workspace-live.ts'
import { ChannelMenu } from '../feed/channel-menu.tsx'
import { LinkStatus } from '../feed/link-status.tsx'
import { NoAccessPage } from '../feed/no-access.tsx'
import { ChannelPane, WorkspaceOfflineNote } from '../layouts/channel-pane.tsx'
import { GridLayout } from '../layouts/grid.tsx'
import { ListLayout } from '../layouts/list.tsx'
import { NoChannels } from '../layouts/no-channels.tsx'
import { createFocusRestore } from '../layouts/restore-focus.ts'
import { Sidebar } from '../layouts/sidebar.tsx'
import { TabBar } from '../layouts/tab-bar.tsx'
import { createMedia, NARROW } from '../lib/media.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { IconButton } from '../ui/button.tsx'
import { PageName } from '../ui/channel-name.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { IconCloudOff } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { IconBack } from '../ui/page-icons.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { createChannelChoice } from '../workspace/channel-choice.ts'
import { createChannelSearch } from '../workspace/channel-search.ts'
import { WorkspaceContext } from '../workspace/workspace-context.ts'
import { createWorkspaceView, type WorkspaceView } from '../workspace/workspace-view.ts'
import '../layouts/layouts.css'

export default function WorkspacePage(): JSX.Element {
  const params = useParams<{ slug: string }>()
  const [visit, setVisit] = createSignal(0)
  // Opens a new view for another workspace, and after access may have changed.
  const key = createMemo(() => `${params.slug} ${visit()}`)
  return (
    <Show when={key()} keyed>
      {_ => <Workspace slug={params.slug} onAccess={() => setVisit(count => count + 1)} />}
    </Show>
  )
}

function Workspace(props: { slug: string; onAccess: () => void }): JSX.Element {
  const view = createWorkspaceView(props.slug)
  return (
    <Switch fallback={<Waiting view={view} />}>
      <Match when={view.refusal()}>
        {refusal => <NoAccessPage refusal={refusal()} to={{ slug: props.slug }} onAccess={props.onAccess} />}
      </Match>
      <Match when={view.page()}>
        {page => <Opened view={view} page={page()} onAccess={props.onAccess} />}
      </Match>
    </Switch>
  )
}

function Waiting(props: { view: WorkspaceView }): JSX.Element {
  createDocumentTitle(() => undefined)
  return (
    <>
      <TopBar aside={<LinkStatus link={props.view.link()} />} />
      <main class="page">
        <Show
          when={props.view.link().state === 'offline'}
          fallback={<Skeletons label="Loading channels" height="3.5rem" />}
        >
          <Notice title="Not on this device yet" icon={<IconCloudOff />}>
            <p>Reconnect to open this workspace. Then it also opens offline.</p>
          </Notice>
        </Show>
      </main>
    </>
  )
}

function Opened(props: { view: WorkspaceView; page: Page; onAccess: () => void }): JSX.Element {
  const narrow = createMedia(NARROW)
  const page = () => props.page
  const layout = () => page().workspace.layout
  const overList = () => narrow() && layout() === 'sidebar'
  const search = createChannelSearch(props.view, page)
  const choice = createChannelChoice(() => page().channels, overList, search.query)
  const over = () => overList() && choice.id() !== undefined
  /** The sidebar of a wide page has the bar. */
  const hasSidebar = () => layout() === 'sidebar' && !narrow() && page().channels.length > 0
  /** The sidebar's pane has its own. */
  function menu(): JSX.Element {
    const feed = over() || layout() === 'tabs' ? props.view.feed() : undefined
    return feed && <ChannelMenu feed={feed} />
  }
  createFocusRestore(() => [layout(), search.channels()])
  createDocumentTitle(() => page().workspace.name, props.view.unreadInAll)
  return (
    <WorkspaceContext.Provider value={{ view: props.view, page, search, choice }}>
      <Show when={!hasSidebar()}>
        <TopBar
          title={
            <div class="title-row across">
              <Show when={over()}>
                <IconButton aria-label={`Back to ${page().workspace.name}`} onClick={choice.leave}>
                  <IconBack />
                </IconButton>
              </Show>
              <PageName of={(over() && choice.channel()) || page().workspace} />
            </div>
          }
          aside={<LinkStatus link={props.view.link()} />}
          menu={menu()}
        />
        <WorkspaceOfflineNote />
      </Show>
      <Switch>
        <Match when={page().channels.length === 0}>
          <main class="page">
            <NoChannels />
          </main>
        </Match>
        <Match when={layout() === 'list'}>
          <ListLayout />
        </Match>
        <Match when={layout() === 'grid'}>
          <GridLayout />
        </Match>
        <Match when={true}>
          <div class={`with-feed with-${layout()}`}>
            <Show when={layout() === 'sidebar'} fallback={<TabBar />}>
              <Sidebar alone={overList() && !over()} hidden={over()} />
            </Show>
            <Show when={!overList() || over()}>
              <ChannelPane tabs={layout() === 'tabs'} over={over()} onAccess={props.onAccess} />
            </Show>
          </div>
        </Match>
      </Switch>
    </WorkspaceContext.Provider>
  )
}
