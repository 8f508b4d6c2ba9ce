// Rows of a key and a value. A few short ones stand side by side.
import { createMemo, For } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { areFacts } from '../card-layout.ts'
import './kv.css'

export function KvBlock(props: { block: BlockOf<'kv'> }) {
  const facts = createMemo(() => areFacts(props.block.rows))
  return (
    <dl class={`kv ${facts() ? 'kv-facts' : 'kv-rows'}`}>
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
