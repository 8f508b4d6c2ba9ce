// The values of a channel's attributes that its workspace shows beside the name.
import { For, type JSX, Show } from 'solid-js'
import type { ShownChannel } from '../../shared/workspace-live.ts'
import { labelsOf } from '../workspace/matching.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'

/** The rest is told as a number, and in words to the pointer and to screen readers. */
const SHOWN = 3

export function Labels(props: { channel: ShownChannel }): JSX.Element {
  const { page } = useWorkspace()
  const labels = () => labelsOf(page().attribute_settings, props.channel)
  const words = ({ key, value }: { key: string; value: string }) => `${key}: ${value}`
  const rest = () => labels().slice(SHOWN).map(words)
  return (
    <>
      <For each={labels().slice(0, SHOWN)}>
        {label => (
          <span class="label" title={words(label)}>
            {label.value}
          </span>
        )}
      </For>
      <Show when={rest().length > 0}>
        <span class="label" title={rest().join('\n')}>
          <span aria-hidden="true">+{rest().length}</span>
          <span class="sr-only">{rest().join(', ')}</span>
        </span>
      </Show>
    </>
  )
}
