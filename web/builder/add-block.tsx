// One button for each block type: it adds the type's example.
import { For, type JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { BLOCK_KINDS } from './block-examples.ts'
import { useBuilder } from './builder.ts'
import { BLOCK_ICONS } from './icons.tsx'

export function AddBlock(): JSX.Element {
  const builder = useBuilder()
  return (
    <section class="add-block" aria-label="Add a block">
      <h3>Add a block</h3>
      <div class="add-kinds">
        <For each={BLOCK_KINDS}>
          {kind => (
            <button type="button" class="add-kind" title={kind.about} onClick={() => builder.add(kind)}>
              <Dynamic component={BLOCK_ICONS[kind.type]} />
              <span>{kind.name}</span>
            </button>
          )}
        </For>
      </div>
    </section>
  )
}
