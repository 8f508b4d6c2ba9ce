// The layout of a workspace's page, chosen from previews.
import { For, type JSX } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import { LAYOUTS, type ListedWorkspace } from '../../shared/workspace.ts'
import { patchWorkspace } from '../data/checked-requests.ts'
import { fetchWorkspacePage } from '../data/viewer-requests.ts'
import { Reason, Switch } from '../ui/choice.tsx'
import { createFreshLoad, type Load, readyValue } from '../ui/load.tsx'
import { LayoutPreview, type PreviewData } from './layout-preview.tsx'
import { createOptimistic } from './mutation.ts'
import { Section } from './section.tsx'
import type { WorkspaceProps } from './settings-page.tsx'
import './workspace-layout.css'

type LayoutSettings = Pick<ListedWorkspace, 'layout' | 'show_search'>

const pickSettings = ({ layout, show_search }: LayoutSettings) => ({ layout, show_search })

const LAYOUT_TEXT: Record<ListedWorkspace['layout'], [label: string, about: string]> = {
  list: ['List', 'All channels in one list.'],
  sidebar: ['Sidebar', 'The channel list beside one feed.'],
  tabs: ['Tabs', 'A tab for each channel.'],
  grid: ['Grid', 'A live preview of each channel.'],
}

export function WorkspaceLayout(props: WorkspaceProps & { settings: Load<AttributeSetting[]> }): JSX.Element {
  const channels = createFreshLoad(async () => (await fetchWorkspacePage(props.workspace.slug)).channels)
  const workspaceId = props.workspace.id
  const current = (): LayoutSettings => pickSettings(props.workspace)
  const { change, error } = createOptimistic(current, changed =>
    props.onChange({ ...props.workspace, ...changed }),
  )

  function save(fields: Partial<LayoutSettings>): void {
    change(
      current => ({ ...current, ...fields }),
      async () => pickSettings(await patchWorkspace(workspaceId, fields)),
    )
  }

  const data = (): PreviewData => ({
    workspace: props.workspace,
    channels: readyValue(channels.load()) ?? [],
    settings: readyValue(props.settings) ?? [],
  })

  return (
    <Section title="Layout" about="How the workspace’s page shows its channels. Your choice saves at once.">
      <fieldset class="layouts">
        <legend>Show channels as</legend>
        <For each={LAYOUTS}>
          {layout => (
            <label class="layout box stack">
              <LayoutPreview layout={layout} data={data()} small />
              <span class="layout-name across">
                <input
                  type="radio"
                  name="layout"
                  value={layout}
                  checked={props.workspace.layout === layout}
                  onChange={() => save({ layout })}
                />
                {LAYOUT_TEXT[layout][0]}
              </span>
            </label>
          )}
        </For>
      </fieldset>
      <figure class="layout-now stack">
        <LayoutPreview layout={props.workspace.layout} data={data()} />
        <figcaption class="hint">
          {LAYOUT_TEXT[props.workspace.layout][1]}{' '}
          {readyValue(channels.load())?.length === 0 && 'There are no channels yet. These are examples.'}
        </figcaption>
      </figure>
      <Switch
        label="Search"
        about={`Lets people search the channels.${props.workspace.layout === 'tabs' ? ' The tabs layout has no search.' : ''}`}
        on={props.workspace.show_search}
        onChange={show_search => save({ show_search })}
      />
      <Reason reason={error()} />
    </Section>
  )
}
