// All emojis: found by name, walked with the arrow keys, those that were picked lately first. Loaded when it is wanted.

import table from 'virtual:emojis'
import { createMemo, createSelector, createSignal, For, type JSX, onMount, Show } from 'solid-js'
import { type Emoji, type EmojiGroup, findEmojis, keepRecent, readEmojis, readRecent } from './emojis.ts'
import '../styles/emoji-picker.css'

export type EmojiPickerProps = { onPick: (emoji: string) => void }

const GROUPS = readEmojis(table)
const ALL = GROUPS.flatMap(({ emojis }) => emojis)
const COLUMNS = 8

type Place = { row: number; column: number }
type Cell = { emoji: Emoji; place: Place }
type Part = { name: string; cells: Cell[] }

export function EmojiPicker(props: EmojiPickerProps): JSX.Element {
  const [query, setQuery] = createSignal('')
  const [active, setActive] = createSignal<Place>({ row: 0, column: 0 })
  const [pointed, setPointed] = createSignal<Emoji>()
  const isActive = createSelector(() => keyOf(active()))
  const groups = createMemo(() => {
    if (query().trim() === '') return [recentGroup(), ...GROUPS]
    const emojis = findEmojis(ALL, query())
    return emojis.length === 0 ? [] : [{ name: 'Found', emojis }]
  })
  const parts = createMemo(() => inRows(groups()))
  /** How many stand in each row. */
  const widths = createMemo(() => {
    const widths: number[] = []
    for (const { place } of parts().flatMap(part => part.cells)) widths[place.row] = place.column + 1
    return widths
  })
  let search: HTMLInputElement | undefined
  let grid: HTMLDivElement | undefined
  onMount(() => search?.focus())

  function pick(emoji: Emoji): void {
    keepRecent(emoji.char)
    props.onPick(emoji.char)
  }

  const widthOf = (row: number) => widths()[row] ?? 0

  function go(to: Place): void {
    const row = Math.max(0, Math.min(widths().length - 1, to.row))
    const place = { row, column: Math.max(0, Math.min(widthOf(row) - 1, to.column)) }
    grid?.querySelector<HTMLElement>(`[data-at="${keyOf(place)}"]`)?.focus()
  }

  function onSearchKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      go({ row: 0, column: 0 })
    } else if (event.key === 'Enter') {
      // It stands in a form.
      event.preventDefault()
      const first = parts()[0]?.cells[0]
      if (first && query().trim() !== '') pick(first.emoji)
    }
  }

  function onGridKey(event: KeyboardEvent): void {
    const { row, column } = active()
    const moves: Record<string, () => void> = {
      ArrowDown: () => go({ row: row + 1, column }),
      ArrowUp: () => (row === 0 ? search?.focus() : go({ row: row - 1, column })),
      ArrowRight: () =>
        go(column + 1 < widthOf(row) ? { row, column: column + 1 } : { row: row + 1, column: 0 }),
      ArrowLeft: () =>
        go(column > 0 || row === 0 ? { row, column: column - 1 } : { row: row - 1, column: COLUMNS }),
      Home: () => go({ row, column: 0 }),
      End: () => go({ row, column: COLUMNS }),
      PageDown: () => go({ row: row + 5, column }),
      PageUp: () => go({ row: row - 5, column }),
    }
    const move = moves[event.key]
    if (move) {
      event.preventDefault()
      move()
    } else if (
      event.key.length === 1 &&
      event.key !== ' ' &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    ) {
      // Typing goes on searching.
      search?.focus()
    }
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
            event.stopPropagation()
            setQuery(event.currentTarget.value)
            setActive({ row: 0, column: 0 })
            grid?.scrollTo({ top: 0 })
          }}
          onKeyDown={onSearchKey}
        />
      </div>
      <Show when={query() === ''}>
        <div class="emoji-jumps">
          <For each={GROUPS}>
            {group => (
              <button
                type="button"
                tabIndex={-1}
                aria-label={`To ${group.name}`}
                title={group.name}
                onClick={() =>
                  grid?.querySelector(`[data-group="${group.name}"]`)?.scrollIntoView({ block: 'start' })
                }
              >
                {group.emojis[0]?.char}
              </button>
            )}
          </For>
        </div>
      </Show>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go from one button to the next */}
      <div class="emoji-grid" ref={grid} onKeyDown={onGridKey}>
        <For each={parts()} fallback={<p class="emoji-none">Nothing is called “{query().trim()}”.</p>}>
          {part => (
            <section class="emoji-group" aria-label={part.name} data-group={part.name}>
              <p class="emoji-group-name" aria-hidden="true">
                {part.name}
              </p>
              <For each={part.cells}>
                {({ emoji, place }) => (
                  <button
                    type="button"
                    aria-label={emoji.name}
                    data-at={keyOf(place)}
                    tabIndex={isActive(keyOf(place)) ? 0 : -1}
                    onClick={() => pick(emoji)}
                    onFocus={() => {
                      setActive(place)
                      setPointed(emoji)
                    }}
                    onMouseEnter={() => setPointed(emoji)}
                  >
                    {emoji.char}
                  </button>
                )}
              </For>
            </section>
          )}
        </For>
      </div>
      <p class="emoji-foot" aria-hidden="true">
        <Show
          when={pointed()}
          fallback={<span class="quiet">Any emoji can also be typed into the field.</span>}
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

const keyOf = ({ row, column }: Place) => `${row}:${column}`

function recentGroup(): EmojiGroup {
  const { name, chars } = readRecent()
  return {
    name,
    emojis: chars.map(char => ALL.find(emoji => emoji.char === char) ?? { char, name: char, words: [] }),
  }
}

/** Rows are numbered through all groups: the arrow keys go from one to the next. */
function inRows(groups: EmojiGroup[]): Part[] {
  let before = 0
  return groups.map(({ name, emojis }) => {
    const first = before
    before += Math.ceil(emojis.length / COLUMNS)
    const placeOf = (i: number) => ({ row: first + Math.floor(i / COLUMNS), column: i % COLUMNS })
    return { name, cells: emojis.map((emoji, i) => ({ emoji, place: placeOf(i) })) }
  })
}
