// Finds some of many by a part of their names. Where there are few it is not there.
import { type Accessor, createSignal, type JSX, Show } from 'solid-js'

const FEW = 10
/** The second before the tenth. */
const { compare } = new Intl.Collator('en', { numeric: true })

export function createFinder(all: Accessor<string[]>, label: string) {
  const [words, setWords] = createSignal('')
  const found = () => {
    const part = words().trim().toLowerCase()
    return all()
      .filter(name => name.toLowerCase().includes(part))
      .sort(compare)
  }
  /** The field, and what it says where nothing is found. */
  function Finder(): JSX.Element {
    return (
      <Show when={all().length > FEW || words() !== ''}>
        <div class="field finder">
          <input
            type="search"
            aria-label={label}
            placeholder={`${label} (${all().length})`}
            autocomplete="off"
            value={words()}
            onInput={event => setWords(event.currentTarget.value)}
          />
          <p class="hint" role="status">
            {found().length === 0 ? `None has “${words().trim()}” in it.` : ''}
          </p>
        </div>
      </Show>
    )
  }
  return { found, Finder, clear: () => setWords('') }
}
