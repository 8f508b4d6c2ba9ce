// The theme: light, dark or the system's. start.js, whose `applyTheme` is global, applies it before the first paint.
import { createRoot, createSignal } from 'solid-js'
import { deviceStorage } from './text-storage.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'theme'

const [theme, setSignal] = createRoot(() => createSignal<Theme>(readTheme()))

export { theme }

export function setTheme(next: Theme): void {
  setSignal(next)
  applyTheme(next)
  if (next === 'system') deviceStorage.remove(KEY)
  else deviceStorage.write(KEY, next)
}

export const nextTheme = (now: Theme) => THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? 'system'

function readTheme(): Theme {
  return THEMES.find(name => name === document.documentElement.dataset.theme) ?? 'system'
}
