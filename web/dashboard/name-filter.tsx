// A field that filters a long list of names. Short lists get no field. The list hides what doesn't match, so that the
// fields in it keep what people typed.
import { type Accessor, createSignal, type JSX, Show } from 'solid-js'
import { onKey } from '../lib/on-key.ts'

const SHORT = 10
const { compare } = new Intl.Collator('en', { numeric: true })

export const byName = (names: string[]) => names.toSorted(compare)

export function createNameFilter(names: Accessor<string[]>, label: string) {
  const [query, setQuery] = createSignal('')
  const isMatch = (name: string) => name.toLowerCase().includes(query().trim().toLowerCase())

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
            // It would save the page's form.
            onKeyDown={onKey(event => event.key === 'Enter' && event.preventDefault())}
          />
          <p class="hint" role="status">
            {query() !== '' && !names().some(isMatch) ? `No results for “${query().trim()}”.` : ''}
          </p>
        </div>
      </Show>
    )
  }

  return { isMatch, NameFilter, clear: () => setQuery('') }
}
