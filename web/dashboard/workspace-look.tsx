// How a workspace's own page shows its channels: chosen from pictures of it, and seen at once.
import { For, type JSX } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { LAYOUTS } from '../../shared/workspace.ts'
import { patchWorkspace } from '../data/checked-requests.ts'
import { fetchWorkspacePage } from '../data/client.ts'
import { Reason, Switch } from '../ui/choice.tsx'
import { createFreshLoad, type Load } from '../ui/load.tsx'
import { createOptimistic } from './deed.ts'
import { LayoutPicture, type Pictured } from './layout-preview.tsx'
import { Section } from './page.tsx'
import type { WorkspacePartProps } from './workspace-general.tsx'

type Layout = ListedWorkspace['layout']
type Look = Pick<ListedWorkspace, 'layout' | 'show_search'>

const LAYOUT_WORDS: Record<Layout, [string, string]> = {
  list: ['List', 'The channels below each other'],
  sidebar: ['Sidebar', 'The channels on the left, one feed beside them'],
  tabs: ['Tabs', 'A tab for each channel'],
  grid: ['Grid', 'Previews of the channels side by side'],
}

export function WorkspaceLook(
  props: WorkspacePartProps & { settings: Load<AttributeSetting[]> },
): JSX.Element {
  const channels = createFreshLoad(async () => (await fetchWorkspacePage(props.workspace.slug)).channels)
  const look = (): Look => ({ layout: props.workspace.layout, show_search: props.workspace.show_search })
  const { change, reason } = createOptimistic(look, look => props.onChange({ ...props.workspace, ...look }))

  function set(fields: Partial<Look>): void {
    const { id } = props.workspace
    change(
      look => ({ ...look, ...fields }),
      async () => {
        const { layout, show_search } = await patchWorkspace(id, fields)
        return { layout, show_search }
      },
    )
  }

  const pictured = (): Pictured => ({
    workspace: props.workspace,
    channels: readyValue(channels.load()) ?? [],
    settings: readyValue(props.settings) ?? [],
  })

  return (
    <Section title="Layout" about="How the workspace’s own page shows its channels. Saved as you choose.">
      <fieldset class="layouts">
        <legend>Channels are shown as</legend>
        <For each={LAYOUTS}>
          {layout => (
            <label class="layout">
              <LayoutPicture layout={layout} of={pictured()} small />
              <span class="layout-words">
                <input
                  type="radio"
                  name="layout"
                  value={layout}
                  checked={props.workspace.layout === layout}
                  onChange={() => set({ layout })}
                />
                {LAYOUT_WORDS[layout][0]}
              </span>
            </label>
          )}
        </For>
      </fieldset>
      <figure class="layout-now">
        <LayoutPicture layout={props.workspace.layout} of={pictured()} />
        <figcaption class="hint">
          {LAYOUT_WORDS[props.workspace.layout][1]}.{' '}
          {readyValue(channels.load())?.length === 0 && 'There are none yet: these are examples.'}
        </figcaption>
      </figure>
      <Switch
        label="Search"
        about={
          props.workspace.layout === 'tabs'
            ? 'Whether the page has a field to search its channels. Tabs have none.'
            : 'Whether the page has a field to search its channels.'
        }
        on={props.workspace.show_search}
        onChange={show_search => set({ show_search })}
      />
      <Reason reason={reason()} />
    </Section>
  )
}

const readyValue = <T,>(load: Load<T>): T | undefined => (load.state === 'ready' ? load.value : undefined)
