// The layout of a workspace's page, chosen from previews.
import { createMemo, createRenderEffect, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import { LAYOUTS, type ListedWorkspace } from '../../shared/workspace.ts'
import { fetchWorkspacePage } from '../data/viewer-requests.ts'
import { LayoutPreview } from '../layouts/layout-preview.tsx'
import { createPick, SwitchField } from '../ui/choice.tsx'
import type { FormState } from '../ui/form.tsx'
import { createFreshLoad, type Load, readyValue } from '../ui/load.tsx'
import { Section } from './section.tsx'
import './workspace-layout.css'

const LAYOUT_TEXT: Record<ListedWorkspace['layout'], [label: string, about: string]> = {
  list: ['List', 'All channels in one list.'],
  sidebar: ['Sidebar', 'The channel list beside one feed.'],
  tabs: ['Tabs', 'A tab for each channel.'],
  grid: ['Grid', 'The newest cards of each channel.'],
}

export function WorkspaceLayout(props: {
  workspace: ListedWorkspace
  form: FormState
  settings: Load<AttributeSetting[]>
}): JSX.Element {
  const id = createUniqueId()
  const { load } = createFreshLoad(() => fetchWorkspacePage(props.workspace.slug))
  const [layout, setLayout] = createPick(props.form, 'layout', 'Layout', () => props.workspace.layout)
  const [search, setSearch] = createSignal(props.workspace.show_search)
  const isEmpty = () => readyValue(load())?.channels.length === 0

  const page = createMemo(() => {
    const read = readyValue(load())
    if (!read) return undefined
    const { name, icon } = props.workspace
    return {
      ...read,
      workspace: { ...read.workspace, name, icon, show_search: search() },
      attribute_settings: readyValue(props.settings) ?? read.attribute_settings,
    }
  })

  return (
    <Section title="Layout" about="How the workspace’s page shows its channels.">
      <fieldset class="layouts">
        <legend>Show channels as</legend>
        <For each={LAYOUTS}>
          {option => (
            <label class="layout box stack">
              <span class="layout-box">
                <Show when={page()}>{page => <LayoutPreview page={page()} layout={option} />}</Show>
              </span>
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
                  aria-label={LAYOUT_TEXT[option][0]}
                  aria-describedby={`${id}-${option}`}
                  checked={layout() === option}
                  onChange={() => setLayout(option)}
                />
                {LAYOUT_TEXT[option][0]}
              </span>
              <span class="hint layout-about" id={`${id}-${option}`}>
                {LAYOUT_TEXT[option][1]}
              </span>
            </label>
          )}
        </For>
      </fieldset>
      <Show when={isEmpty()}>
        <p class="hint">There are no channels yet. These are examples.</p>
      </Show>
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
