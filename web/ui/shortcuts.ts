// Hears the keys of `SHORTCUTS`, and does what the components that are on the page say. Never while one is typing.
import { createRoot, createSignal, onCleanup } from 'solid-js'
import { overlay } from './palette-open.ts'
import { letterOf, SHORTCUTS, type ShortcutName } from './shortcut-keys.ts'

export type Handlers = Partial<Record<ShortcutName, () => void>>

/** How long the second key may take. */
const PATIENCE_MS = 1_500
const KEY = 'single-keys'

/** Shortcuts of a single letter can be switched off: whoever dictates, or brushes the keys, would trigger them. */
const [singleKeys, setSingle] = createRoot(() => createSignal(readSingleKeys()))

export { singleKeys }

export function setSingleKeys(on: boolean): void {
  setSingle(on)
  if (on) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'off')
}

function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    // A browser that allows no storage.
    return true
  }
}

const present: Handlers[] = []

/** What the keys do while the component is there. */
export function createShortcuts(handlers: Handlers): void {
  present.push(handlers)
  onCleanup(() => present.splice(present.indexOf(handlers), 1))
}

/** Listens for the keys of all that is there. Returns how to stop. */
export function listenForShortcuts(): () => void {
  let first = { key: '', at: 0 }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return
    const before = Date.now() - first.at < PATIENCE_MS ? first.key : ''
    first = { key: '', at: 0 }
    const pressed = nameOf(event)
    if (pressed === null || isBusy(event)) return
    const name = find(before, pressed)
    const handler = name && present.findLast(handlers => handlers[name])?.[name]
    if (handler) {
      event.preventDefault()
      handler()
    } else if (!event.repeat) {
      first = { key: pressed, at: Date.now() }
    }
  }

  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

function find(before: string, pressed: string): ShortcutName | undefined {
  const names = Object.keys(SHORTCUTS).filter(isName)
  const is = (name: ShortcutName, keys: string[]) => SHORTCUTS[name].keys.join(' ') === keys.join(' ')
  return names.find(name => is(name, [before, pressed])) ?? names.find(name => is(name, [pressed]))
}

const isName = (name: string): name is ShortcutName => Object.hasOwn(SHORTCUTS, name)

function nameOf(event: KeyboardEvent): string | null {
  if (event.key === 'Escape') return isLeft(event.target) ? 'Esc' : null
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey) return letterOf(event) === 'k' && !event.shiftKey ? 'Mod+K' : null
  return event.key.length === 1 ? event.key : null
}

/** The first Escape in a field for searching empties it. */
function isLeft(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return false
  return isTypedInto(target)
}

/** Whether the key belongs to what has the focus: a field, a menu, a dialog. */
function isBusy(event: KeyboardEvent): boolean {
  // An overlay that was asked for may still be on its way.
  if (overlay() !== null || document.querySelector(MODAL)) return true
  if (event.key === 'Escape' || event.ctrlKey || event.metaKey) return false
  return !singleKeys() || isTypedInto(event.target)
}

const MODAL = 'dialog[open], [role="dialog"], [role="alertdialog"], [role="menu"]'
const TYPED_INTO =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable]'

export function isTypedInto(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.closest(TYPED_INTO) !== null
}
