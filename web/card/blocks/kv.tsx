// Rows of a key and a value.
import { For } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import './kv.css'

export function KvBlock(props: { block: BlockOf<'kv'> }) {
  return (
    <dl class="kv">
      <For each={props.block.rows}>
        {row => (
          <div class="kv-row">
            <dt>{row.key}</dt>
            <dd>
              <LinkedText content={row.value} />
            </dd>
          </div>
        )}
      </For>
    </dl>
  )
}
