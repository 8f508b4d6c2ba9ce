// A search field of a page. The key / leads to it.
import type { JSX } from 'solid-js'
import { IconSearch } from '../ui/icons.tsx'

export function FindField(props: {
  label: string
  value: string
  onInput: (value: string) => void
}): JSX.Element {
  return (
    <label class="find">
      <IconSearch />
      <input
        type="search"
        aria-label={props.label}
        placeholder={props.label}
        autocomplete="off"
        value={props.value}
        onInput={event => props.onInput(event.currentTarget.value)}
      />
    </label>
  )
}
