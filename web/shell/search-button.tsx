// The button that opens the palette.
import type { JSX } from 'solid-js'
import { IconButton } from '../ui/button.tsx'
import { IconSearch } from '../ui/icons.tsx'
import { setOverlay } from '../ui/overlay.ts'
import { keyWords } from '../ui/shortcut-keys.ts'

export function SearchButton(): JSX.Element {
  return (
    <IconButton
      aria-label="Search and jump"
      aria-keyshortcuts="Control+K Meta+K"
      title={`Search and jump (${keyWords('Mod+K')})`}
      onClick={() => setOverlay('palette')}
    >
      <IconSearch />
    </IconButton>
  )
}
