// Above a list of channels: the search box, the way to the settings, and the filter buttons.
import { A } from '@solidjs/router'
import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { countOf } from '../lib/format.ts'
import { IconSearch } from '../ui/icons.tsx'
import { IconSettings } from '../ui/page-icons.tsx'
import type { FilterGroup } from '../workspace/matching.ts'
import { WORDS_MAX } from '../workspace/search-address.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'

/** `toList`: the focus goes from the search box to the first channel. */
export function Tools(props: { toList: () => void }): JSX.Element {
  const { page, search } = useWorkspace()
  return (
    <div class="tools">
      <div class="tools-row">
        <Show
          when={page().workspace.show_search}
          fallback={<p class="tools-count">{countOf(page().channels.length, 'channel', 'channels')}</p>}
        >
          <SearchBox toList={props.toList} />
        </Show>
        <SettingsLink />
      </div>
      <For each={search.groups().map(({ key }) => key)}>
        {key => (
          <Show when={search.groups().find(group => group.key === key)}>
            {group => <FilterButtons group={group()} />}
          </Show>
        )}
      </For>
      <p class="sr-only" role="status">
        {search.active() ? `${countOf(search.channels().length, 'channel', 'channels')} shown` : ''}
      </p>
    </div>
  )
}

/** The owner's way to the settings. */
export function SettingsLink(): JSX.Element {
  const { page } = useWorkspace()
  return (
    <Show when={page().can_edit}>
      <A
        class="icon-button"
        href={`/dashboard/workspaces/${page().workspace.id}`}
        aria-label="Workspace settings"
        title="Workspace settings"
      >
        <IconSettings />
      </A>
    </Show>
  )
}

function SearchBox(props: { toList: () => void }): JSX.Element {
  const { search } = useWorkspace()

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (event.key === 'Escape' && search.words() !== '') search.setWords('')
    else if (event.key === 'ArrowDown') props.toList()
    else return
    event.preventDefault()
  }

  return (
    <label class="search">
      <IconSearch />
      <input
        type="search"
        aria-label="Search channels"
        placeholder="Search channels"
        autocomplete="off"
        spellcheck={false}
        maxlength={WORDS_MAX}
        value={search.words()}
        onInput={event => search.setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={search.settle}
      />
    </label>
  )
}

/** So many values are shown of a key before one asks for all. */
const VALUES = 8

function FilterButtons(props: { group: FilterGroup }): JSX.Element {
  const { search } = useWorkspace()
  const id = createUniqueId()
  const [all, setAll] = createSignal(false)
  const hidden = () => (all() ? [] : props.group.values.slice(VALUES).filter(({ chosen }) => !chosen))
  const shown = () => props.group.values.filter(value => !hidden().includes(value))
  let box: HTMLDivElement | undefined

  function showAll(): void {
    setAll(true)
    box?.querySelectorAll('button')[VALUES]?.focus()
  }

  const find = (value: string) => props.group.values.find(one => one.value === value)
  return (
    <fieldset class="filter" aria-labelledby={id}>
      <legend class="filter-key" id={id}>
        {props.group.key}
      </legend>
      <div class="filter-values" ref={box}>
        <For each={shown().map(({ value }) => value)}>
          {value => (
            <Show when={find(value)}>
              {one => (
                <button
                  type="button"
                  class="filter-value"
                  aria-pressed={one().chosen}
                  classList={{ 'filter-none': one().count === 0 && !one().chosen }}
                  onClick={() => search.toggle(props.group.key, value)}
                >
                  <span class="filter-word">{value}</span>
                  <span class="filter-count">{one().count}</span>
                </button>
              )}
            </Show>
          )}
        </For>
        <Show when={hidden().length > 0}>
          <button type="button" class="filter-value filter-more" onClick={showAll}>
            {hidden().length} more
          </button>
        </Show>
      </div>
    </fieldset>
  )
}
