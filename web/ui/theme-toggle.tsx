// Steps through the system's theme, light and dark.
import { Dynamic } from 'solid-js/web'
import { nextTheme, setTheme, theme } from '../lib/theme.ts'
import { IconButton } from './button.tsx'
import { IconMoon, IconSun, IconSystem } from './icons.tsx'

const THEMES = {
  system: { name: 'as the system', icon: IconSystem },
  light: { name: 'light', icon: IconSun },
  dark: { name: 'dark', icon: IconMoon },
}

export function ThemeToggle() {
  const label = () => `Theme: ${THEMES[theme()].name}. Change to ${THEMES[nextTheme(theme())].name}`
  return (
    <IconButton aria-label={label()} title={label()} onClick={() => setTheme(nextTheme(theme()))}>
      <Dynamic component={THEMES[theme()].icon} />
    </IconButton>
  )
}
