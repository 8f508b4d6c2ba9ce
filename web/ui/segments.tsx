// A choice between a few options, side by side.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { shortCount } from '../lib/unread.ts'
import './segments.css'

export function Segments<T extends string>(props: {
  label: string
  /** The label of each option. */
  of: Partial<Record<T, string>>
  value: T
  counts?: Partial<Record<T, number>>
  /** The option whose count is about the viewer. */
  yours?: T
  onPick: (value: T) => void
}): JSX.Element {
  const name = createUniqueId()
  return (
    <fieldset class="segments">
      <legend class="sr-only">{props.label}</legend>
      <For each={keysOf(props.of)}>
        {value => (
          <label class="segment">
            <input
              type="radio"
              name={name}
              checked={props.value === value}
              onChange={() => props.onPick(value)}
            />
            {props.of[value]}
            <Show when={props.counts?.[value]}>
              {count => (
                <span class="count" classList={{ 'count-you': props.yours === value }}>
                  {shortCount(count())}
                </span>
              )}
            </Show>
          </label>
        )}
      </For>
    </fieldset>
  )
}

function keysOf<T extends string>(labels: Partial<Record<T, string>>): T[] {
  const keys: T[] = []
  for (const key in labels) keys.push(key)
  return keys
}
