// A small picture of a workspace's page, with its real channels, to choose a layout by. It has no state, so a change
// draws all of it again.
import { For, type JSX } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { countOf } from '../lib/format.ts'
import { attributeOf } from '../workspace/matching.ts'
import './layout-preview.css'

export type PreviewData = {
  workspace: Pick<ListedWorkspace, 'name' | 'icon' | 'show_search'>
  channels: PageChannel[]
  settings: AttributeSetting[]
}

type Named = { name: string; icon?: string }
type PreviewChannel = Named & { about: string | null; count: string; labels: string[] }

const LARGE = 9
const SMALL = 4

const EXAMPLES: PreviewChannel[] = [
  { name: 'A channel', icon: '📡', about: 'What it’s about', count: 'No cards', labels: [] },
  { name: 'Another channel', icon: '🧾', about: null, count: 'No cards', labels: [] },
]

type Preview = { data: PreviewData; channels: PreviewChannel[] }

const LAYOUTS: Record<ListedWorkspace['layout'], (preview: Preview) => JSX.Element> = {
  list: ({ data, channels }) => (
    <div class="mini-column stack">
      {header(data)}
      <For each={channels}>
        {channel => (
          <div class="mini-row">
            {nameAndLabels(channel)}
            <span class="mini-note">{channel.count}</span>
          </div>
        )}
      </For>
    </div>
  ),
  sidebar: ({ data, channels }) => (
    <div class="mini-split">
      <div class="mini-side stack">
        {header(data)}
        <For each={channels}>{channel => <div class="mini-link">{nameAndLabels(channel)}</div>}</For>
      </div>
      {feed(channels[0])}
    </div>
  ),
  tabs: ({ data, channels }) => (
    <div class="mini-column stack">
      {title(data.workspace)}
      <div class="mini-tabs">
        <For each={channels}>{channel => <div class="mini-tab">{iconAndName(channel)}</div>}</For>
      </div>
      {feed(channels[0])}
    </div>
  ),
  grid: ({ data, channels }) => (
    <div class="mini-column stack">
      {header(data)}
      <div class="mini-grid">
        <For each={channels}>
          {channel => (
            <div class="mini-card">
              {nameAndLabels(channel)}
              {channel.about ? <span class="mini-about">{channel.about}</span> : lines()}
              <span class="mini-note">{channel.count}</span>
            </div>
          )}
        </For>
      </div>
    </div>
  ),
}

export function LayoutPreview(props: {
  layout: ListedWorkspace['layout']
  data: PreviewData
  small?: boolean
}): JSX.Element {
  const channels = () => previewChannels(props.data, props.small ? SMALL : LARGE)
  return (
    <div class="mini box" classList={{ 'mini-small': props.small }} aria-hidden="true">
      <div class="mini-page">{LAYOUTS[props.layout]({ data: props.data, channels: channels() })}</div>
    </div>
  )
}

function previewChannels({ channels, settings }: PreviewData, max: number): PreviewChannel[] {
  if (channels.length === 0) return EXAMPLES
  const labels = settings.filter(({ show_in_sidebar }) => show_in_sidebar)
  return channels.slice(0, max).map(({ name, icon, description, card_count, attributes }) => ({
    name,
    icon,
    about: description,
    count: countOf(card_count, 'card', 'cards'),
    labels: labels.flatMap(({ key }) => attributeOf(attributes, key) ?? []),
  }))
}

function header({ workspace, settings }: PreviewData): JSX.Element {
  const filters = settings.filter(({ use_as_filter }) => use_as_filter)
  const hasTools = workspace.show_search || filters.length > 0
  return (
    <>
      {title(workspace)}
      {hasTools && (
        <div class="mini-tools">
          {workspace.show_search && <div class="mini-search">Search</div>}
          <For each={filters}>{({ key }) => <span class="mini-tag cut">{key}</span>}</For>
        </div>
      )}
    </>
  )
}

const title = (named: Named) => <div class="mini-head">{iconAndName(named)}</div>

const iconAndName = ({ icon, name }: Named) => (
  <>
    {icon && <span class="mini-icon">{icon}</span>}
    <span class="mini-name cut" dir="auto">
      {name}
    </span>
  </>
)

const nameAndLabels = (channel: PreviewChannel) => (
  <>
    {iconAndName(channel)}
    <For each={channel.labels}>{label => <span class="mini-tag mini-label cut">{label}</span>}</For>
  </>
)

const feed = (channel: PreviewChannel | undefined) => (
  <div class="mini-feed stack">
    {title({ name: channel?.name ?? '' })}
    <div class="mini-card">{lines()}</div>
    <div class="mini-card">{lines()}</div>
  </div>
)

const lines = () => (
  <span class="mini-lines stack">
    <i />
    <i />
  </span>
)
