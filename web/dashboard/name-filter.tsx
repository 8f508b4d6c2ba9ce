// A field that filters a long list of names, which it sorts. Short lists get no field.
import { type Accessor, createSignal, type JSX, Show } from 'solid-js'

const SHORT = 10
const { compare } = new Intl.Collator('en', { numeric: true })

export function createNameFilter(names: Accessor<string[]>, label: string) {
  const [query, setQuery] = createSignal('')
  const matches = () => {
    const part = query().trim().toLowerCase()
    return names()
      .filter(name => name.toLowerCase().includes(part))
      .sort(compare)
  }

  function NameFilter(): JSX.Element {
    return (
      <Show when={names().length > SHORT || query() !== ''}>
        <div class="field name-filter">
          <input
            type="search"
            aria-label={label}
            placeholder={`${label} (${names().length})`}
            autocomplete="off"
            value={query()}
            onInput={event => setQuery(event.currentTarget.value)}
          />
          <p class="hint" role="status">
            {matches().length === 0 ? `No results for “${query().trim()}”.` : ''}
          </p>
        </div>
      </Show>
    )
  }

  return { matches, NameFilter, clear: () => setQuery('') }
}
