// A workspace's page in small, drawn with its real channels: to choose a layout by, not to be used.
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import type { ShownChannel } from '../../shared/workspace-live.ts'
import { countOf } from '../lib/format.ts'
import '../styles/layout-preview.css'

export type Pictured = {
  workspace: Pick<ListedWorkspace, 'name' | 'icon' | 'show_search'>
  channels: ShownChannel[]
  settings: AttributeSetting[]
}

type DrawnChannel = { name: string; icon: string; about: string; count: string; labels: string[] }
type PartProps = { channels: DrawnChannel[]; of: Pictured }

/** So many channels fit a picture. */
const LARGE = 9
const SMALL = 4

/** What stands there while the workspace has no channels. */
const NONE: DrawnChannel[] = [
  { name: 'A channel', icon: '📡', about: 'What it is about', count: 'No cards', labels: [] },
  { name: 'Another one', icon: '🧾', about: '', count: 'No cards', labels: [] },
]

export type LayoutPictureProps = { layout: ListedWorkspace['layout']; of: Pictured; small?: boolean }

export function LayoutPicture(props: LayoutPictureProps): JSX.Element {
  const channels = () => draw(props.of, props.small ? SMALL : LARGE)
  return (
    <div class="mini" classList={{ 'mini-small': props.small }} aria-hidden="true">
      <div class="mini-page">
        <Switch>
          <Match when={props.layout === 'list'}>
            <List channels={channels()} of={props.of} />
          </Match>
          <Match when={props.layout === 'sidebar'}>
            <Sidebar channels={channels()} of={props.of} />
          </Match>
          <Match when={props.layout === 'tabs'}>
            <Tabs channels={channels()} of={props.of} />
          </Match>
          <Match when={props.layout === 'grid'}>
            <Grid channels={channels()} of={props.of} />
          </Match>
        </Switch>
      </div>
    </div>
  )
}

function draw({ channels, settings }: Pictured, most: number): DrawnChannel[] {
  if (channels.length === 0) return NONE
  const shown = settings.filter(({ show_in_sidebar }) => show_in_sidebar)
  return channels.slice(0, most).map(({ name, icon, description, card_count, attributes }) => ({
    name,
    icon,
    about: description ?? '',
    count: countOf(card_count, 'card', 'cards'),
    labels: shown.flatMap(({ key }) => attributes[key] ?? []),
  }))
}

function List(props: PartProps): JSX.Element {
  return (
    <div class="mini-column">
      <Head of={props.of} />
      <Tools of={props.of} />
      <For each={props.channels}>
        {channel => (
          <div class="mini-row">
            <Name channel={channel} />
            <span class="mini-note">{channel.count}</span>
          </div>
        )}
      </For>
    </div>
  )
}

function Sidebar(props: PartProps): JSX.Element {
  return (
    <div class="mini-split">
      <div class="mini-side">
        <Head of={props.of} />
        <Tools of={props.of} />
        <For each={props.channels}>
          {(channel, index) => (
            <div class="mini-link" classList={{ 'mini-here': index() === 0 }}>
              <Name channel={channel} />
            </div>
          )}
        </For>
      </div>
      <Feed channel={props.channels[0]} />
    </div>
  )
}

function Tabs(props: PartProps): JSX.Element {
  return (
    <div class="mini-column">
      <Head of={props.of} />
      <div class="mini-tabs">
        <For each={props.channels}>
          {(channel, index) => (
            <div class="mini-tab" classList={{ 'mini-here': index() === 0 }}>
              <span class="mini-icon">{channel.icon}</span>
              <span class="mini-name" dir="auto">
                {channel.name}
              </span>
            </div>
          )}
        </For>
      </div>
      <Feed channel={props.channels[0]} />
    </div>
  )
}

function Grid(props: PartProps): JSX.Element {
  return (
    <div class="mini-column">
      <Head of={props.of} />
      <Tools of={props.of} />
      <div class="mini-grid">
        <For each={props.channels}>
          {channel => (
            <div class="mini-card">
              <Name channel={channel} />
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

function Head(props: { of: Pictured }): JSX.Element {
  return (
    <div class="mini-head">
      <span class="mini-icon">{props.of.workspace.icon}</span>
      <span class="mini-name" dir="auto">
        {props.of.workspace.name}
      </span>
    </div>
  )
}

/** The search and the filters: what the page has to find a channel by. */
function Tools(props: { of: Pictured }): JSX.Element {
  const filters = () => props.of.settings.filter(({ use_as_filter }) => use_as_filter)
  return (
    <Show when={props.of.workspace.show_search || filters().length > 0}>
      <div class="mini-tools">
        <Show when={props.of.workspace.show_search}>
          <div class="mini-search">Search</div>
        </Show>
        <For each={filters()}>{({ key }) => <span class="mini-filter">{key}</span>}</For>
      </div>
    </Show>
  )
}

function Name(props: { channel: DrawnChannel }): JSX.Element {
  return (
    <>
      <span class="mini-icon">{props.channel.icon}</span>
      <span class="mini-name" dir="auto">
        {props.channel.name}
      </span>
      <For each={props.channel.labels}>{label => <span class="mini-label">{label}</span>}</For>
    </>
  )
}

/** A channel's cards, as shapes. */
function Feed(props: { channel: DrawnChannel | undefined }): JSX.Element {
  return (
    <div class="mini-feed">
      <div class="mini-head">
        <span class="mini-name" dir="auto">
          {props.channel?.name}
        </span>
      </div>
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
    <span class="mini-lines">
      <i />
      <i />
    </span>
  )
}
