// Placeholders while a list loads. Screen readers announce the label.
import { For, type JSX } from 'solid-js'
import './skeletons.css'

/** How many bars the rows have, in turn: lines and cards with details. */
const BARS = [3, 5, 3]

export function Skeletons(props: { label: string; count?: number; height?: string }): JSX.Element {
  const rows = () => Array.from({ length: props.count ?? 3 }, (_, i) => BARS[i % BARS.length] ?? 3)
  return (
    <div class="skeletons" role="status" aria-label={props.label}>
      <For each={rows()}>
        {bars => (
          <div class="skeleton-row" style={{ height: props.height }}>
            <For each={Array(bars).fill(null)}>{() => <span class="skeleton" />}</For>
          </div>
        )}
      </For>
    </div>
  )
}
