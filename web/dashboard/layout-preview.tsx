// A small picture of a workspace's page, with its real channels, to choose a layout by.
import { type Component, For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { AttributeSetting } from '../../shared/attributes.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { countOf } from '../lib/format.ts'
import './layout-preview.css'

export type PreviewData = {
  workspace: Pick<ListedWorkspace, 'name' | 'icon' | 'show_search'>
  channels: PageChannel[]
  settings: AttributeSetting[]
}

type PreviewChannel = { name: string; icon: string; about: string; count: string; labels: string[] }
type LayoutProps = { channels: PreviewChannel[]; data: PreviewData }

/** How many channels a preview has room for. */
const LARGE = 9
const SMALL = 4

/** For a workspace without channels. */
const EXAMPLES: PreviewChannel[] = [
  { name: 'A channel', icon: '📡', about: 'What it is about', count: 'No cards', labels: [] },
  { name: 'Another one', icon: '🧾', about: '', count: 'No cards', labels: [] },
]

const LAYOUTS: Record<ListedWorkspace['layout'], Component<LayoutProps>> = {
  list: List,
  sidebar: Sidebar,
  tabs: Tabs,
  grid: Grid,
}

export function LayoutPreview(props: {
  layout: ListedWorkspace['layout']
  data: PreviewData
  small?: boolean
}): JSX.Element {
  return (
    <div class="mini" classList={{ 'mini-small': props.small }} aria-hidden="true">
      <div class="mini-page">
        <Dynamic
          component={LAYOUTS[props.layout]}
          channels={previewChannels(props.data, props.small ? SMALL : LARGE)}
          data={props.data}
        />
      </div>
    </div>
  )
}

function previewChannels({ channels, settings }: PreviewData, max: number): PreviewChannel[] {
  if (channels.length === 0) return EXAMPLES
  const labels = settings.filter(({ show_in_sidebar }) => show_in_sidebar)
  return channels.slice(0, max).map(({ name, icon, description, card_count, attributes }) => ({
    name,
    icon,
    about: description ?? '',
    count: countOf(card_count, 'card', 'cards'),
    labels: labels.flatMap(({ key }) => attributes[key] ?? []),
  }))
}

function List(props: LayoutProps): JSX.Element {
  return (
    <div class="mini-column stack">
      <Header data={props.data} />
      <For each={props.channels}>
        {channel => (
          <div class="mini-row">
            <Channel channel={channel} />
            <span class="mini-note">{channel.count}</span>
          </div>
        )}
      </For>
    </div>
  )
}

function Sidebar(props: LayoutProps): JSX.Element {
  return (
    <div class="mini-split">
      <div class="mini-side stack">
        <Header data={props.data} />
        <For each={props.channels}>
          {(channel, index) => (
            <div class="mini-link" classList={{ 'mini-here': index() === 0 }}>
              <Channel channel={channel} />
            </div>
          )}
        </For>
      </div>
      <Feed channel={props.channels[0]} />
    </div>
  )
}

function Tabs(props: LayoutProps): JSX.Element {
  return (
    <div class="mini-column stack">
      <Title {...props.data.workspace} />
      <div class="mini-tabs">
        <For each={props.channels}>
          {(channel, index) => (
            <div class="mini-tab" classList={{ 'mini-here': index() === 0 }}>
              <Name icon={channel.icon} name={channel.name} />
            </div>
          )}
        </For>
      </div>
      <Feed channel={props.channels[0]} />
    </div>
  )
}

function Grid(props: LayoutProps): JSX.Element {
  return (
    <div class="mini-column stack">
      <Header data={props.data} />
      <div class="mini-grid">
        <For each={props.channels}>
          {channel => (
            <div class="mini-card">
              <Channel channel={channel} />
              <Show when={channel.about} fallback={<Lines />}>
                <span class="mini-about">{channel.about}</span>
              </Show>
              <span class="mini-note">{channel.count}</span>
            </div>
          )}
        </For>
      </div>
    </div>
  )
}

/** The workspace's name, its search field and its filters. */
function Header(props: { data: PreviewData }): JSX.Element {
  const filters = () => props.data.settings.filter(({ use_as_filter }) => use_as_filter)
  return (
    <>
      <Title {...props.data.workspace} />
      <Show when={props.data.workspace.show_search || filters().length > 0}>
        <div class="mini-tools">
          <Show when={props.data.workspace.show_search}>
            <div class="mini-search">Search</div>
          </Show>
          <For each={filters()}>{({ key }) => <span class="mini-tag mini-filter cut">{key}</span>}</For>
        </div>
      </Show>
    </>
  )
}

type NameProps = { icon?: string; name: string }

function Title(props: NameProps): JSX.Element {
  return (
    <div class="mini-head">
      <Name icon={props.icon} name={props.name} />
    </div>
  )
}

function Name(props: NameProps): JSX.Element {
  return (
    <>
      <Show when={props.icon}>{icon => <span class="mini-icon">{icon()}</span>}</Show>
      <span class="mini-name cut" dir="auto">
        {props.name}
      </span>
    </>
  )
}

function Channel(props: { channel: PreviewChannel }): JSX.Element {
  return (
    <>
      <Name icon={props.channel.icon} name={props.channel.name} />
      <For each={props.channel.labels}>{label => <span class="mini-tag mini-label cut">{label}</span>}</For>
    </>
  )
}

/** A channel with two cards. */
function Feed(props: { channel: PreviewChannel | undefined }): JSX.Element {
  return (
    <div class="mini-feed stack">
      <Title name={props.channel?.name ?? ''} />
      <div class="mini-card">
        <Lines />
      </div>
      <div class="mini-card">
        <Lines />
      </div>
    </div>
  )
}

function Lines(): JSX.Element {
  return (
    <span class="mini-lines stack">
      <i />
      <i />
    </span>
  )
}
