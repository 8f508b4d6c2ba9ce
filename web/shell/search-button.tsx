// The button that opens the palette. A wide bar shows it as a field.
import type { JSX } from 'solid-js'
import { shownFeed } from '../data/channel/shown-feed.ts'
import { IconSearch } from '../ui/icons.tsx'
import { setOverlay } from '../ui/overlay.ts'
import { keyWords } from '../ui/shortcut-keys.ts'
import './search-button.css'

export function SearchButton(): JSX.Element {
  return (
    <button
      type="button"
      class="icon-button search-button"
      aria-label="Search and jump"
      aria-keyshortcuts="Control+K Meta+K"
      title={`Search and jump (${keyWords('Mod+K')})`}
      onClick={() => setOverlay('palette')}
    >
      <IconSearch />
      <span class="search-button-words" aria-hidden="true">
        {shownFeed() ? 'Search this channel' : 'Search'}
      </span>
      <span class="search-button-words search-button-key" aria-hidden="true">
        <kbd>/</kbd>
      </span>
    </button>
  )
}
