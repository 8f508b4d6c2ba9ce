// The layout of a workspace's page, chosen from previews.
import { createRenderEffect, createSignal, For, type JSX } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import { LAYOUTS, type ListedWorkspace } from '../../shared/workspace.ts'
import { fetchWorkspacePage } from '../data/viewer-requests.ts'
import { createPick, SwitchField } from '../ui/choice.tsx'
import type { FormState } from '../ui/form.tsx'
import { createFreshLoad, type Load, readyValue } from '../ui/load.tsx'
import { LayoutPreview, type PreviewData } from './layout-preview.tsx'
import { Section } from './section.tsx'
import './workspace-layout.css'

const LAYOUT_TEXT: Record<ListedWorkspace['layout'], [label: string, about: string]> = {
  list: ['List', 'All channels in one list.'],
  sidebar: ['Sidebar', 'The channel list beside one feed.'],
  tabs: ['Tabs', 'A tab for each channel.'],
  grid: ['Grid', 'A live preview of each channel.'],
}

export function WorkspaceLayout(props: {
  workspace: ListedWorkspace
  form: FormState
  settings: Load<AttributeSetting[]>
}): JSX.Element {
  const channels = createFreshLoad(async () => (await fetchWorkspacePage(props.workspace.slug)).channels)
  const [layout, setLayout] = createPick(props.form, 'layout', 'Layout', () => props.workspace.layout)
  const [search, setSearch] = createSignal(props.workspace.show_search)

  const data = (): PreviewData => ({
    workspace: { ...props.workspace, show_search: search() },
    channels: readyValue(channels.load()) ?? [],
    settings: readyValue(props.settings) ?? [],
  })

  return (
    <Section title="Layout" about="How the workspace’s page shows its channels.">
      <fieldset class="layouts">
        <legend>Show channels as</legend>
        <For each={LAYOUTS}>
          {option => (
            <label class="layout box stack">
              <LayoutPreview layout={option} data={data()} small />
              <span class="layout-name across">
                <input
                  type="radio"
                  name="layout"
                  value={option}
                  ref={element =>
                    createRenderEffect(() => {
                      element.defaultChecked = props.workspace.layout === option
                    })
                  }
                  checked={layout() === option}
                  onChange={() => setLayout(option)}
                />
                {LAYOUT_TEXT[option][0]}
              </span>
            </label>
          )}
        </For>
      </fieldset>
      <figure class="layout-now stack">
        <LayoutPreview layout={layout()} data={data()} />
        <figcaption class="hint">
          {LAYOUT_TEXT[layout()][1]}{' '}
          {readyValue(channels.load())?.length === 0 && 'There are no channels yet. These are examples.'}
        </figcaption>
      </figure>
      <SwitchField
        form={props.form}
        name="show_search"
        label="Search"
        about={`Lets people search the channels.${layout() === 'tabs' ? ' The tabs layout has no search.' : ''}`}
        saved={props.workspace.show_search}
        onChange={setSearch}
      />
    </Section>
  )
}
