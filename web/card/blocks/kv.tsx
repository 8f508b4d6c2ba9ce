// Rows of a key and a value. A few short ones stand side by side on a grid.
import { createMemo, For, Show } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import type { KvRow } from '../../../shared/blocks/rows.ts'
import { formatNumber } from '../../lib/format.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { useCard } from '../card-form.ts'
import { FOLDED_ROWS, foldedRows, isLog, type KvShape, kvShapeOf } from '../card-layout.ts'
import { createFold, FoldButton } from '../fold.tsx'
import type { BlockDisplay } from './display.ts'
import './kv.css'

type Drawn = { rows: KvRow[]; shape: KvShape; isLog: boolean }

/** How each block was drawn last, also after its card has left the screen. */
const drawn = new Map<string, Drawn>()
const DRAWN_MAX = 1_000

export const kvDisplay: BlockDisplay<'kv'> = {
  View: Rows,
  words: ({ rows }) => rows.map(({ key, value }) => `${key}: ${value}`).join('\n'),
}

function Rows(props: { block: BlockOf<'kv'> }) {
  const card = useCard()
  const fold = createFold(() => props.block.id)
  const form = createMemo((): Drawn => {
    const id = `${card.id} ${props.block.id}`
    const before = drawn.get(id)
    const rows = props.block.rows.map(({ key, value }) => ({ key, value }))
    const now = {
      rows,
      shape: kvShapeOf(rows, before),
      isLog: before?.isLog || isLog(rows, before?.rows),
    }
    if (drawn.size >= DRAWN_MAX) drawn.clear()
    drawn.set(id, now)
    return now
  })
  // Memos: a changed row touches nothing else of the list.
  const shape = createMemo(() => form().shape)
  const isGrowing = createMemo(() => form().isLog)
  const isLong = () => props.block.rows.length > FOLDED_ROWS
  const rows = () => (fold.isOpen() ? props.block.rows : foldedRows(props.block.rows, isGrowing()))
  const button = () => (
    <FoldButton fold={fold} isLong={isLong()} all={` ${formatNumber(props.block.rows.length)} rows`} />
  )
  return (
    <>
      <Show when={isGrowing()}>{button()}</Show>
      <dl class={`kv kv-${shape()}`}>
        <For each={rows()}>
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
      <Show when={!isGrowing()}>{button()}</Show>
    </>
  )
}
