// Light, dark, or as the system has it. start.js sets the same before the first paint.
import { createRoot, createSignal } from 'solid-js'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'theme'

const [theme, setSignal] = createRoot(() => createSignal<Theme>(readTheme()))

export { theme }

export function setTheme(next: Theme): void {
  setSignal(next)
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
  paintSurroundings(next)
  keep(next)
}

/** Where the browser allows no storage, it lasts as long as the page. */
function keep(next: Theme): void {
  try {
    if (next === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch (error) {
    console.warn('The theme is not kept', error)
  }
}

export function nextTheme(now: Theme): Theme {
  return THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? 'system'
}

function readTheme(): Theme {
  return THEMES.find(name => name === document.documentElement.dataset.theme) ?? 'system'
}

/** The colour that a phone gives to what is around the page. */
function paintSurroundings(next: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]')) {
    const { scheme } = meta.dataset
    if (next === 'system') meta.media = `(prefers-color-scheme: ${scheme})`
    else meta.media = scheme === next ? 'all' : 'not all'
  }
}
