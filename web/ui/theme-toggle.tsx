// Steps through system, light and dark.
import { Match, Switch } from 'solid-js'
import { nextTheme, setTheme, theme } from '../lib/theme.ts'
import { IconMoon, IconSun, IconSystem } from './icons.tsx'

const WORDS = { system: 'as the system', light: 'light', dark: 'dark' }

export function ThemeToggle() {
  const words = () => `Theme: ${WORDS[theme()]}. Change to ${WORDS[nextTheme(theme())]}`
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={words()}
      title={words()}
      onClick={() => setTheme(nextTheme(theme()))}
    >
      <Switch>
        <Match when={theme() === 'system'}>
          <IconSystem />
        </Match>
        <Match when={theme() === 'light'}>
          <IconSun />
        </Match>
        <Match when={theme() === 'dark'}>
          <IconMoon />
        </Match>
      </Switch>
    </button>
  )
}
