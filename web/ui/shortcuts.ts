// Listens for the keys of `SHORTCUTS` and calls the handlers of the components on the page, but not while someone types.
import { createRoot, createSignal, onCleanup } from 'solid-js'
import { onKey } from '../lib/on-key.ts'
import { deviceStorage } from '../lib/text-storage.ts'
import { overlay } from './overlay.ts'
import { letterOf, SHORTCUTS, type ShortcutName } from './shortcut-keys.ts'

type Handlers = Partial<Record<ShortcutName, () => void>>

const SECOND_KEY_MS = 1_500
const STORAGE_KEY = 'single-keys'

/** People who dictate, or who press keys by accident, can switch off single-key shortcuts. */
const [singleKeys, setSignal] = createRoot(() => createSignal(deviceStorage.read(STORAGE_KEY) !== 'off'))

export { singleKeys }

export function setSingleKeys(on: boolean): void {
  setSignal(on)
  if (on) deviceStorage.remove(STORAGE_KEY)
  else deviceStorage.write(STORAGE_KEY, 'off')
}

const mounted: Handlers[] = []

/** Handles shortcuts until the component is removed. The handlers added last come first. */
export function createShortcuts(handlers: Handlers): void {
  mounted.push(handlers)
  onCleanup(() => mounted.splice(mounted.indexOf(handlers), 1))
}

export function listenForShortcuts(): () => void {
  let first = { key: '', at: 0 }

  const onKeyDown = onKey(event => {
    if (event.defaultPrevented) return
    const before = Date.now() - first.at < SECOND_KEY_MS ? first.key : ''
    first = { key: '', at: 0 }
    const key = nameOf(event)
    if (key === null || isTakenElsewhere(event)) return
    const name = find(`${before} ${key}`) ?? find(key)
    const handler = name && mounted.findLast(handlers => handlers[name])?.[name]
    if (handler) {
      event.preventDefault()
      handler()
    } else if (!event.repeat) {
      first = { key, at: Date.now() }
    }
  })

  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

const isName = (name: string): name is ShortcutName => Object.hasOwn(SHORTCUTS, name)
const NAMES = Object.keys(SHORTCUTS).filter(isName)
const find = (keys: string) => NAMES.find(name => SHORTCUTS[name].keys.join(' ') === keys)

function nameOf(event: KeyboardEvent): string | null {
  if (event.key === 'Escape') return leavesField(event.target) ? 'Esc' : null
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey) return letterOf(event) === 'k' && !event.shiftKey ? 'Mod+K' : null
  return event.key.length === 1 ? event.key : null
}

/** The first Escape in a search field empties the field. */
function leavesField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return false
  return isTypedInto(target)
}

function isTakenElsewhere(event: KeyboardEvent): boolean {
  // The palette counts as open while it still loads.
  if (overlay() !== null || document.querySelector('dialog[open], :popover-open')) return true
  if (event.key === 'Escape' || event.ctrlKey || event.metaKey) return false
  return !singleKeys() || isTypedInto(event.target)
}

const TYPED_INTO =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable]'

export function isTypedInto(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.closest(TYPED_INTO) !== null
}
