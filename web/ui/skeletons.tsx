// Placeholders while a list loads. Screen readers announce the label.
import { For, type JSX } from 'solid-js'
import './skeletons.css'

export function Skeletons(props: { label: string; count?: number; height?: string }): JSX.Element {
  return (
    <div class="skeletons" role="status" aria-label={props.label}>
      <For each={Array(props.count ?? 3).fill(props.height)}>
        {height => <div class="skeleton" style={{ height }} />}
      </For>
    </div>
  )
}
