// The tools above a list of channels: the search field, the link to the settings, and the filter buttons.
import { A } from '@solidjs/router'
import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { countOf, formatNumber } from '../lib/format.ts'
import { onKey } from '../lib/on-key.ts'
import { LinkButton } from '../ui/button.tsx'
import { IconSearch } from '../ui/icons.tsx'
import { IconSettings } from '../ui/page-icons.tsx'
import { Segments } from '../ui/segments.tsx'
import { TEXT_MAX } from '../workspace/filter-address.ts'
import type { FilterGroup } from '../workspace/matching.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'
import './tools.css'

export function Tools(props: { onArrowDown: () => void }): JSX.Element {
  const { page, search } = useWorkspace()
  /** Without a match, the message in the list has the button. */
  const isNarrowed = () => search.active() && search.channels().length > 0

  /** The button disappears, so the focus goes to the first tool. */
  function clear({ currentTarget }: { currentTarget: HTMLElement }): void {
    const tools = currentTarget.closest('.tools')
    search.clear()
    tools?.querySelector<HTMLElement>('input, button')?.focus()
  }

  const states = () => ({
    all: 'All',
    unread: 'Unread',
    waiting: page().can_act ? 'Needs you' : 'Waiting',
  })
  return (
    <div class="tools">
      <Show when={page().channels.length > 1}>
        <Segments
          label="Show"
          of={states()}
          value={search.state()}
          counts={{ unread: search.count('unread'), waiting: search.count('waiting') }}
          yours={page().can_act ? 'waiting' : undefined}
          onPick={search.setState}
        />
      </Show>
      <div class="tools-row across">
        <Show
          when={page().workspace.show_search}
          fallback={<p class="quiet">{countOf(page().channels.length, 'channel', 'channels')}</p>}
        >
          <SearchField onArrowDown={props.onArrowDown} />
        </Show>
        <SettingsLink />
      </div>
      <Show when={search.groups().length > 0}>
        <div class="filters">
          {/* By key, because the groups are new objects after each change, and their buttons must keep the focus. */}
          <For each={search.groups().map(({ key }) => key)}>
            {key => (
              <Show when={search.groups().find(group => group.key === key)}>
                {group => <FilterButtons group={group()} />}
              </Show>
            )}
          </For>
        </div>
      </Show>
      <div class="tools-found line" classList={{ 'sr-only': !isNarrowed() }}>
        <p role="status">
          {search.active()
            ? `${formatNumber(search.channels().length)} of ${countOf(page().channels.length, 'channel', 'channels')}`
            : ''}
        </p>
        <Show when={isNarrowed()}>
          <LinkButton onClick={clear}>Clear</LinkButton>
        </Show>
      </div>
    </div>
  )
}

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

function SearchField(props: { onArrowDown: () => void }): JSX.Element {
  const { search } = useWorkspace()

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && search.text() !== '') search.setText('')
    else if (event.key === 'ArrowDown') props.onArrowDown()
    else return
    event.preventDefault()
  }

  return (
    <label class="search fill">
      <IconSearch />
      <input
        type="search"
        aria-label="Search channels"
        placeholder="Search channels"
        autocomplete="off"
        spellcheck={false}
        maxlength={TEXT_MAX}
        value={search.text()}
        onInput={event => search.setText(event.currentTarget.value)}
        onKeyDown={onKey(onKeyDown)}
        onBlur={search.save}
      />
    </label>
  )
}

/** The other values are behind a “more” button. */
const VALUES = 8

function FilterButtons(props: { group: FilterGroup }): JSX.Element {
  const { search } = useWorkspace()
  const id = createUniqueId()
  const [all, setAll] = createSignal(false)
  const hidden = () => (all() ? [] : props.group.values.slice(VALUES).filter(({ chosen }) => !chosen))
  const visible = () => props.group.values.filter(value => !hidden().includes(value))
  let box: HTMLDivElement | undefined

  function showAll(): void {
    setAll(true)
    box?.querySelectorAll('button')[VALUES]?.focus()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't share a line with others
    <div class="filter-group" role="group" aria-labelledby={id} ref={box}>
      <span class="filter-key fine cut" id={id}>
        {props.group.key}
      </span>
      <For each={visible().map(({ value }) => value)}>
        {value => (
          <Show when={props.group.values.find(other => other.value === value)}>
            {found => (
              <button
                type="button"
                class="filter-value box"
                aria-pressed={found().chosen}
                classList={{ 'filter-more': found().count === 0 && !found().chosen }}
                onClick={() => search.toggle(props.group.key, value)}
              >
                <span class="cut" dir="auto">
                  {value}
                </span>
                <span class="filter-count fine">{found().count}</span>
              </button>
            )}
          </Show>
        )}
      </For>
      <Show when={hidden().length > 0}>
        <button type="button" class="filter-value filter-more box" onClick={showAll}>
          {hidden().length} more
        </button>
      </Show>
    </div>
  )
}
