// Panes of which one shows, under a row of tabs.
import { Tabs } from '@kobalte/core/tabs'
import { For, type JSX, Show } from 'solid-js'

export type Pane<T extends string> = { name: T; title: string; flag?: () => boolean; view: () => JSX.Element }
export type PanesProps<T extends string> = {
  label: string
  panes: Pane<T>[]
  value: T
  onPick: (value: T) => void
}

export function Panes<T extends string>(props: PanesProps<T>): JSX.Element {
  function pick(value: string): void {
    const pane = props.panes.find(({ name }) => name === value)
    if (pane) props.onPick(pane.name)
  }
  return (
    <Tabs class="panes" value={props.value} onChange={pick}>
      <Tabs.List class="pane-tabs" aria-label={props.label}>
        <For each={props.panes}>
          {pane => (
            <Tabs.Trigger class="pane-tab" value={pane.name}>
              {pane.title}
              <Show when={pane.flag?.()}>
                <span class="dot pane-flag" aria-hidden="true" />
                <span class="sr-only">has errors</span>
              </Show>
            </Tabs.Trigger>
          )}
        </For>
      </Tabs.List>
      <For each={props.panes}>
        {pane => (
          <Tabs.Content class={`pane pane-${pane.name}`} value={pane.name}>
            {pane.view()}
          </Tabs.Content>
        )}
      </For>
    </Tabs>
  )
}
