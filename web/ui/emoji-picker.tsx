// All emojis, found by name and reached with the arrow keys. Loads when the picker first opens.
import table from 'virtual:emojis'
import { createMemo, createSelector, createSignal, For, type JSX, onMount, Show } from 'solid-js'
import { onKey } from '../lib/on-key.ts'
import { keyAsLtr } from './arrow-keys.ts'
import { type Cell, type GridGroup, nextCell, toGrid, widthsOf } from './emoji-grid.ts'
import { type Emoji, type EmojiGroup, findEmojis, readEmojis, readRecent, saveRecent } from './emojis.ts'
import './emoji-picker.css'

export type EmojiPickerProps = { onPick: (emoji: string) => void }

const GROUPS = readEmojis(table)
const ALL = GROUPS.flatMap(({ emojis }) => emojis)
const FIRST = { row: 0, column: 0 }

export function EmojiPicker(props: EmojiPickerProps): JSX.Element {
  const [query, setQuery] = createSignal('')
  const [active, setActive] = createSignal<Cell>(FIRST)
  const [pointed, setPointed] = createSignal<Emoji>()
  const groups = createMemo(() => toGrid(groupsFor(query().trim())))
  const widths = createMemo(() => widthsOf(groups()))
  let search: HTMLInputElement | undefined
  let grid: HTMLDivElement | undefined
  onMount(() => search?.focus())

  function pick(emoji: Emoji): void {
    saveRecent(emoji.char)
    props.onPick(emoji.char)
  }

  function focusCell(cell: Cell): void {
    grid?.querySelector<HTMLElement>(`[data-cell="${idOf(cell)}"]`)?.focus()
  }

  function onSearchKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    // Enter would submit the form around the picker.
    event.preventDefault()
    const first = groups()[0]?.cells[0]
    if (event.key === 'ArrowDown') focusCell(FIRST)
    else if (first && query().trim() !== '') pick(first.emoji)
  }

  function onGridKey(event: KeyboardEvent): void {
    const key = keyAsLtr(event)
    const next = nextCell(key, active(), widths())
    if (next) event.preventDefault()
    const isTyped = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey
    if (isTyped || (key === 'ArrowUp' && active().row === 0)) search?.focus()
    else if (next) focusCell(next)
  }

  return (
    <>
      <div class="emoji-search">
        <input
          type="search"
          ref={search}
          aria-label="Search emojis"
          placeholder="Search, or paste an emoji"
          autocomplete="off"
          spellcheck={false}
          onInput={event => {
            // Otherwise the form around the picker counts the search as an edit.
            event.stopPropagation()
            setQuery(event.currentTarget.value)
            setActive(FIRST)
            grid?.scrollTo({ top: 0 })
          }}
          onKeyDown={onKey(onSearchKey)}
        />
      </div>
      <Show when={query() === ''}>
        <Jumps onJump={name => grid?.querySelector(`[data-group="${name}"]`)?.scrollIntoView()} />
      </Show>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys lead from button to button */}
      <div class="emoji-grid" ref={grid} onKeyDown={onKey(onGridKey)}>
        <Groups
          groups={groups()}
          query={query().trim()}
          active={active()}
          onPick={pick}
          onFocus={setActive}
          onPoint={setPointed}
        />
      </div>
      <p class="emoji-foot across" aria-hidden="true">
        <Show
          when={pointed()}
          fallback={<span class="quiet">You can also type any emoji into the field.</span>}
        >
          {emoji => (
            <>
              <span class="emoji-pointed">{emoji().char}</span> {emoji().name}
            </>
          )}
        </Show>
      </p>
    </>
  )
}

function Jumps(props: { onJump: (group: string) => void }): JSX.Element {
  return (
    <div class="emoji-jumps">
      <For each={GROUPS}>
        {({ name, emojis }) => (
          <button
            type="button"
            tabIndex={-1}
            aria-label={`To ${name}`}
            title={name}
            onClick={() => props.onJump(name)}
          >
            {emojis[0]?.char}
          </button>
        )}
      </For>
    </div>
  )
}

function Groups(props: {
  groups: GridGroup[]
  query: string
  active: Cell
  onPick: (emoji: Emoji) => void
  onFocus: (cell: Cell) => void
  onPoint: (emoji: Emoji) => void
}): JSX.Element {
  const isActive = createSelector(() => idOf(props.active))
  return (
    <For each={props.groups} fallback={<p class="emoji-message">No results for “{props.query}”.</p>}>
      {group => (
        <section class="emoji-group" aria-label={group.name} data-group={group.name}>
          <p class="emoji-group-name fine" aria-hidden="true">
            {group.name}
          </p>
          <For each={group.cells}>
            {({ emoji, cell }) => (
              <button
                type="button"
                aria-label={emoji.name}
                data-cell={idOf(cell)}
                tabIndex={isActive(idOf(cell)) ? 0 : -1}
                onClick={() => props.onPick(emoji)}
                onFocus={() => {
                  props.onFocus(cell)
                  props.onPoint(emoji)
                }}
                onMouseEnter={() => props.onPoint(emoji)}
              >
                {emoji.char}
              </button>
            )}
          </For>
        </section>
      )}
    </For>
  )
}

const idOf = ({ row, column }: Cell) => `${row}:${column}`

function groupsFor(query: string): EmojiGroup[] {
  if (query !== '') {
    const emojis = findEmojis(ALL, query)
    return emojis.length === 0 ? [] : [{ name: 'Found', emojis }]
  }
  const { name, chars } = readRecent()
  const emojis = chars.map(char => ALL.find(emoji => emoji.char === char) ?? { char, name: char, words: [] })
  return [{ name, emojis }, ...GROUPS]
}
