// The attributes of a channel that are visible beside its name.
import { For, type JSX, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { labelsOf } from '../workspace/matching.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'
import './labels.css'

const VISIBLE = 3

export function Labels(props: { channel: PageChannel }): JSX.Element {
  const { page } = useWorkspace()
  const labels = () => labelsOf(page().attribute_settings, props.channel)
  const textOf = ({ key, value }: { key: string; value: string }) => `${key}: ${value}`
  const rest = () => labels().slice(VISIBLE)
  return (
    <Show when={labels().length > 0}>
      <span class="labels" title={labels().map(textOf).join('\n')}>
        <For each={labels().slice(0, VISIBLE)}>
          {label => (
            <span class="label">
              <bdi>{label.value}</bdi>
            </span>
          )}
        </For>
        <Show when={rest().length > 0}>
          <span class="label">
            <span aria-hidden="true">+{rest().length}</span>
            <span class="sr-only">{rest().map(textOf).join(', ')}</span>
          </span>
        </Show>
      </span>
    </Show>
  )
}
