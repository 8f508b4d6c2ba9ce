// What the palette shows for what was typed: in groups while nothing is, the best first when something is. Pure.
import { fuzzyScore } from '../lib/fuzzy.ts'
import type { PaletteGroup, PaletteItem } from './palette-items.ts'

export type Shown = { heading: string; items: PaletteItem[] }[]

const GROUPS: PaletteGroup[] = ['This channel', 'Channels', 'Workspaces', 'Pages', 'Actions']
const RECENT_MAX = 5
const GROUP_MAX = 40
const FOUND_MAX = 40
/** A name says more than the words beside it. */
const BESIDE = 30
/** Of two that fit alike, the one that was used. */
const USED = 3

/** `recent`: when each was last used (ms). `isHere`: what is open now is not offered as recent. */
export function rankItems(
  query: string,
  items: PaletteItem[],
  recent: Map<string, number>,
  isHere: (item: PaletteItem) => boolean,
): Shown {
  const usedAt = ({ id }: PaletteItem) => recent.get(id) ?? 0
  if (query.trim() !== '') {
    const found = items
      .flatMap(item => {
        const score = scoreItem(query, item)
        return score === null ? [] : [{ item, score: score + (usedAt(item) > 0 ? USED : 0) }]
      })
      .sort((a, b) => b.score - a.score || usedAt(b.item) - usedAt(a.item))
    return found.length === 0
      ? []
      : [{ heading: 'Found', items: found.slice(0, FOUND_MAX).map(({ item }) => item) }]
  }
  const used = items
    .filter(item => usedAt(item) > 0 && !isHere(item))
    .sort((a, b) => usedAt(b) - usedAt(a))
    .slice(0, RECENT_MAX)
  const groups = GROUPS.map(group => ({
    heading: group,
    items: items.filter(item => item.group === group && !used.includes(item)).slice(0, GROUP_MAX),
  }))
  return [{ heading: 'Recent', items: used }, ...groups].filter(group => group.items.length > 0)
}

function scoreItem(query: string, { name, about = '', also = '' }: PaletteItem): number | null {
  const byName = fuzzyScore(query, name)
  if (byName !== null) return byName + BESIDE
  // A word of the query may be in the name and another beside it.
  return fuzzyScore(query, `${name} ${about} ${also}`)
}
