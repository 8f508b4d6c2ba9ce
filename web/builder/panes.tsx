// Panes under a row of tabs; one is visible at a time.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { Tab, TabList } from '../ui/tabs.tsx'

export type Pane<T extends string> = {
  name: T
  title: string
  hasErrors?: () => boolean
  view: () => JSX.Element
}
export type PanesProps<T extends string> = {
  label: string
  panes: Pane<T>[]
  value: T
  onSelect: (value: T) => void
}

export function Panes<T extends string>(props: PanesProps<T>): JSX.Element {
  const id = createUniqueId()
  const tabId = (name: T) => `${id}-${name}`
  const panelId = `${id}-panel`
  return (
    <div class="panes">
      <TabList
        class="pane-tabs"
        label={props.label}
        names={props.panes.map(({ name }) => name)}
        selected={props.value}
        idOf={tabId}
        onStep={props.onSelect}
      >
        <For each={props.panes}>
          {pane => (
            <Tab
              id={tabId(pane.name)}
              controls={panelId}
              selected={pane.name === props.value}
              onSelect={() => props.onSelect(pane.name)}
            >
              {pane.title}
              <Show when={pane.hasErrors?.()}>
                <span class="dot pane-errors" aria-hidden="true" />
                <span class="sr-only">has errors</span>
              </Show>
            </Tab>
          )}
        </For>
      </TabList>
      <For each={props.panes.filter(({ name }) => name === props.value)}>
        {pane => (
          <div
            class="builder-pane"
            role="tabpanel"
            id={panelId}
            aria-labelledby={tabId(pane.name)}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: Tab leads from the tabs to the panel (ARIA tabs)
            tabIndex={0}
          >
            {pane.view()}
          </div>
        )}
      </For>
    </div>
  )
}
