// The button that opens the palette. A wide bar shows it as a field.
import type { JSX } from 'solid-js'
import { shownFeed } from '../data/channel/shown-feed.ts'
import { IconSearch } from '../ui/icons.tsx'
import { setOverlay } from '../ui/overlay.ts'
import { keyWords } from '../ui/shortcut-keys.ts'
import './search-button.css'

export function SearchButton(): JSX.Element {
  const words = () => (shownFeed() ? 'Search this channel' : 'Search and jump')
  return (
    <button
      type="button"
      class="icon-button search-button"
      aria-label={words()}
      aria-keyshortcuts="Control+K Meta+K"
      title={`${words()} (${keyWords('Mod+K')})`}
      data-key="/"
      onClick={() => setOverlay('palette')}
    >
      <IconSearch />
      <span class="search-button-words">{words()}</span>
    </button>
  )
}
