// Panes under a row of tabs; one is visible at a time.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { Tab, TabList } from '../ui/tabs.tsx'

const TITLES = { blocks: 'Blocks', json: 'JSON', preview: 'Preview', code: 'Code' }

export type Pane = keyof typeof TITLES

export function Panes<T extends Pane>(props: {
  label: string
  panes: T[]
  views: Record<Pane, () => JSX.Element>
  hasErrors: (pane: Pane) => boolean
  value: T
  onSelect: (value: T) => void
}): JSX.Element {
  const id = createUniqueId()
  const tabId = (pane: T) => `${id}-${pane}`
  const panelId = `${id}-panel`
  return (
    <div class="panes">
      <TabList
        class="pane-tabs"
        label={props.label}
        names={props.panes}
        selected={props.value}
        idOf={tabId}
        onStep={props.onSelect}
      >
        <For each={props.panes}>
          {pane => (
            <Tab
              id={tabId(pane)}
              controls={panelId}
              selected={pane === props.value}
              onSelect={() => props.onSelect(pane)}
            >
              {TITLES[pane]}
              <Show when={props.hasErrors(pane)}>
                <span class="dot pane-errors" aria-hidden="true" />
                <span class="sr-only">has errors</span>
              </Show>
            </Tab>
          )}
        </For>
      </TabList>
      <Show when={props.value} keyed>
        {pane => (
          <div
            class="builder-pane"
            role="tabpanel"
            id={panelId}
            aria-labelledby={tabId(pane)}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: Tab leads from the tabs to the panel (ARIA tabs)
            tabIndex={0}
          >
            {props.views[pane]()}
          </div>
        )}
      </Show>
    </div>
  )
}
