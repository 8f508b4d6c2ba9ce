// The key that moves the focus to the next card that needs the viewer. After the last one it begins again at the first.
import { createShortcuts } from '../ui/shortcuts.ts'
import type { FeedFilter } from './feed-filter.ts'
import type { ReadingPosition } from './reading-position.ts'

export function createNextNeed(
  filter: FeedFilter,
  position: ReadingPosition,
  reveal: (id: string) => void,
): void {
  function moveOn(): void {
    const { ids } = position.list()
    const needing = filter.needsYou().filter(id => ids.includes(id))
    const from = ids.indexOf(position.focused() ?? '')
    const next = needing.find(id => ids.indexOf(id) > from) ?? needing[0]
    if (next !== undefined) return reveal(next)
    // All of them are further down than the list goes.
    const [first] = filter.needsYou()
    if (first === undefined) return
    filter.setFilter('you')
    reveal(first)
  }

  createShortcuts({ needsYou: moveOn })
}
