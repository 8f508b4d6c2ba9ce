// Rows of a key and a value. A few short ones stand side by side.
import { createMemo, For } from 'solid-js'
import type { BlockOf, KvRow } from '../../../shared/block.ts'
import { charCount } from '../../../shared/characters.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import './kv.css'

/** How many rows may stand side by side, and the longest key and value there, in characters. */
const FACTS = { min: 2, max: 6, key: 16, value: 20 }

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

export function areFacts(rows: KvRow[]): boolean {
  if (rows.length < FACTS.min || rows.length > FACTS.max) return false
  return rows.every(({ key, value }) => isShort(key, FACTS.key) && isShort(value, FACTS.value))
}

const isShort = (text: string, max: number) => !text.includes('\n') && charCount(text) <= max
