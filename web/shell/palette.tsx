// The palette: a few letters, and one is at any channel, page or action. A combobox with its listbox, so that a screen
// reader says what Enter would do.
import { useNavigate } from '@solidjs/router'
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  type JSX,
  on,
  onMount,
  Show,
} from 'solid-js'
import { readJumps, writeJumps } from '../data/local-copy/channels.ts'
import { IconSearch } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { letterOf } from '../ui/shortcut-keys.ts'
import { createPaletteItems, type PaletteItem } from './palette-items.ts'
import { rankItems } from './palette-rank.ts'
import '../styles/palette.css'

const JUMPS_MAX = 50
const PAGE = 8

export default function Palette(props: { onClose: () => void }): JSX.Element {
  return (
    <Modal class="palette" label="Search and jump" onClose={props.onClose}>
      {close => <Search close={close} />}
    </Modal>
  )
}

function Search(props: { close: () => void }): JSX.Element {
  const navigate = useNavigate()
  const { items, recent, isHere, link } = createPaletteItems()
  const [query, setQuery] = createSignal('')
  const [active, setActive] = createSignal<string>()
  const id = createUniqueId()
  const shown = createMemo(() => rankItems(query(), items(), recent(), isHere))
  const list = createMemo(() => shown().flatMap(group => group.items))
  /** The chosen one, or the first while it is not there. */
  const current = () => list().find(item => item.id === active()) ?? list()[0]
  const optionId = (item: PaletteItem) => `${id}-${item.id}`
  const currentId = () => {
    const item = current()
    return item && optionId(item)
  }
  let input: HTMLInputElement | undefined

  createEffect(on(query, () => setActive(undefined), { defer: true }))
  onMount(() => input?.focus())

  function step(by: number, wrap: boolean): void {
    const all = list()
    const now = current()
    if (!now) return
    const at = all.indexOf(now) + by
    const next = wrap ? (at + all.length) % all.length : Math.max(0, Math.min(at, all.length - 1))
    setActive(all[next]?.id)
    const option = document.getElementById(optionId(all[next] ?? now))
    option?.scrollIntoView({ block: 'nearest' })
  }

  function go(item: PaletteItem | undefined, elsewhere: boolean): void {
    if (!item) return
    remember(item)
    // First, so that the focus is back on the page before the page changes.
    props.close()
    const { does } = item
    if ('run' in does) does.run()
    else if (elsewhere) window.open(does.href, '_blank', 'noopener')
    else if (does.external) location.assign(does.href)
    else navigate(does.href)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const mod = event.ctrlKey || event.metaKey
    if (event.key === 'ArrowDown') step(1, true)
    else if (event.key === 'ArrowUp') step(-1, true)
    else if (event.key === 'PageDown') step(PAGE, false)
    else if (event.key === 'PageUp') step(-PAGE, false)
    else if (event.key === 'Enter') go(current(), mod)
    else if (mod && letterOf(event) === 'k') props.close()
    else return
    event.preventDefault()
  }

  return (
    <>
      <div class="palette-field">
        <IconSearch />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label="Search channels, pages and actions"
          aria-expanded={list().length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={currentId()}
          placeholder="Search channels, pages and actions…"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          onInput={event => setQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="palette-close" onClick={() => props.close()}>
          Close
        </button>
      </div>
      <div class="palette-list" id={id} role="listbox" aria-label="Results">
        <For each={shown()}>
          {group => (
            // biome-ignore lint/a11y/useSemanticElements: the groups of a listbox have this role, not that of a form
            <div role="group" aria-label={group.heading}>
              <Show when={group.heading !== 'Found'}>
                <div class="palette-heading" aria-hidden="true">
                  {group.heading}
                </div>
              </Show>
              <For each={group.items}>
                {item => (
                  <div
                    class="palette-option"
                    id={optionId(item)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={item.id === current()?.id}
                    onPointerMove={() => setActive(item.id)}
                    onClick={event => go(item, event.ctrlKey || event.metaKey)}
                    onKeyDown={onKeyDown}
                  >
                    <span class="channel-icon" aria-hidden="true">
                      {item.icon ?? SIGNS[item.group]}
                    </span>
                    <span class="palette-name" dir="auto">
                      {item.name}
                    </span>
                    <span class="palette-about">
                      {item.about ?? (query() === '' ? '' : KINDS[item.group])}
                    </span>
                  </div>
                )}
              </For>
            </div>
          )}
        </For>
      </div>
      <p class="palette-note" role="status">
        <span class="palette-words">{noteOf(query(), list().length, link())}</span>
        <span class="palette-keys">Enter opens, Esc closes.</span>
      </p>
    </>
  )
}

const SIGNS: Record<PaletteItem['group'], string> = {
  'This channel': '→',
  Channels: '#',
  Workspaces: '▣',
  Pages: '→',
  Actions: '+',
}
const KINDS: Record<PaletteItem['group'], string> = {
  'This channel': 'Page',
  Channels: 'Channel',
  Workspaces: 'Workspace',
  Pages: 'Page',
  Actions: 'Action',
}

function noteOf(query: string, count: number, link: 'loading' | 'ready' | 'offline'): string {
  if (count === 0) return `Nothing is called “${query.trim()}”.`
  const found = query.trim() === '' ? '' : `${count} found.`
  if (link === 'loading') return `${found} Loading your channels…`
  if (link === 'offline') return `${found} Offline: only channels that were seen on this device.`
  return found
}

async function remember(item: PaletteItem): Promise<void> {
  const before = Object.entries((await readJumps()) ?? {}).filter(([id]) => id !== item.id)
  const last = before.sort(([, a], [, b]) => b - a).slice(0, JUMPS_MAX - 1)
  await writeJumps(Object.fromEntries([[item.id, Date.now()], ...last]))
}
