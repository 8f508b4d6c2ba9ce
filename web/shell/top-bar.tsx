// The bar at the top of every page: home and title on the left; search, theme and account on the right.
import { A } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { IconButton } from '../ui/button.tsx'
import { IconFeed, IconSearch } from '../ui/icons.tsx'
import { setOverlay } from '../ui/overlay.ts'
import { keyWords } from '../ui/shortcut-keys.ts'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { Account } from './account.tsx'
import './top-bar.css'

export function TopBar(props: { title?: JSX.Element; aside?: JSX.Element }) {
  return (
    <header class="bar line">
      <A class="icon-button" href="/" aria-label="Channel Feed, home">
        <IconFeed />
      </A>
      <div class="bar-title">{props.title ?? <span class="bar-app">Channel Feed</span>}</div>
      <div class="bar-aside line">
        {props.aside}
        <IconButton
          aria-label="Search and jump"
          aria-keyshortcuts="Control+K Meta+K"
          title={`Search and jump (${keyWords('Mod+K')})`}
          onClick={() => setOverlay('palette')}
        >
          <IconSearch />
        </IconButton>
        <ThemeToggle />
        <Account />
      </div>
    </header>
  )
}
