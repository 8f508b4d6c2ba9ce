// A choice between a few options, side by side.
import { createUniqueId, For, type JSX } from 'solid-js'
import './segments.css'

export function Segments<T extends string>(props: {
  label: string
  of: readonly [T, string][]
  value: T
  onPick: (value: T) => void
}): JSX.Element {
  const name = createUniqueId()
  return (
    <fieldset class="segments">
      <legend class="sr-only">{props.label}</legend>
      <For each={props.of}>
        {([value, label]) => (
          <label class="segment">
            <input
              type="radio"
              name={name}
              checked={props.value === value}
              onChange={() => props.onPick(value)}
            />
            {label}
          </label>
        )}
      </For>
    </fieldset>
  )
}
