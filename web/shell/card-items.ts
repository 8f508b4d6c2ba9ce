// The cards of the open channel in the palette: those on this device, so also offline.
import { matchCard } from '../data/channel/card-words.ts'
import { shownFeed } from '../data/channel/shown-feed.ts'
import { sharedNow, timeWords } from '../ui/time-ago.tsx'
import type { PaletteItem } from './palette-items.ts'

export const CARDS_MAX = 8

/** Newest first. One more than `CARDS_MAX` means that there are others. */
export function findCards(query: string): PaletteItem[] {
  const shown = shownFeed()
  if (!shown || query.trim() === '') return []
  const { feed, show } = shown
  const items: PaletteItem[] = []
  for (const id of [...new Set([...feed.ids(), ...feed.cardsApart.ids()])]) {
    const card = feed.state.cards[id]
    const match = card && matchCard(card.blocks, query)
    if (!match) continue
    items.push({
      id: `card:${id}`,
      group: 'Cards in this channel',
      name: match.title,
      about: match.excerpt ?? timeWords().relativeTime(card.created_at, sharedNow()),
      does: { run: () => show(id) },
    })
    if (items.length > CARDS_MAX) break
  }
  return items
}
