// Selects the items that the palette lists: groups before anything is typed, then the best matches.
import { fuzzyScore } from '../lib/fuzzy.ts'
import type { PaletteGroup, PaletteItem } from './palette-items.ts'

type UsedAt = (item: PaletteItem) => number
export type RankedGroup = { heading: string; items: PaletteItem[] }

const GROUPS: PaletteGroup[] = ['This channel', 'Channels', 'Workspaces', 'Pages', 'Actions']
const RECENT_MAX = 5
const GROUP_MAX = 40
const FOUND_MAX = 40
const NAME_BONUS = 30
const USED_BONUS = 3

/** `recent`: when each item was last used (ms). The open page (`isHere`) isn't listed as recent. */
export function rankItems(
  query: string,
  items: PaletteItem[],
  recent: Map<string, number>,
  isHere: (item: PaletteItem) => boolean,
): RankedGroup[] {
  const usedAt = ({ id }: PaletteItem) => recent.get(id) ?? 0
  const groups = query.trim() === '' ? listByGroup(items, usedAt, isHere) : [findItems(query, items, usedAt)]
  return groups.filter(group => group.items.length > 0)
}

function findItems(query: string, items: PaletteItem[], usedAt: UsedAt): RankedGroup {
  const found = items
    .flatMap(item => {
      const score = scoreItem(query, item)
      return score === null ? [] : [{ item, score: score + (usedAt(item) > 0 ? USED_BONUS : 0) }]
    })
    .sort((a, b) => b.score - a.score || usedAt(b.item) - usedAt(a.item))
  return { heading: 'Found', items: found.slice(0, FOUND_MAX).map(({ item }) => item) }
}

function listByGroup(
  items: PaletteItem[],
  usedAt: UsedAt,
  isHere: (item: PaletteItem) => boolean,
): RankedGroup[] {
  const used = items
    .filter(item => usedAt(item) > 0 && !isHere(item))
    .sort((a, b) => usedAt(b) - usedAt(a))
    .slice(0, RECENT_MAX)
  const groups = GROUPS.map(group => ({
    heading: group,
    items: items.filter(item => item.group === group && !used.includes(item)).slice(0, GROUP_MAX),
  }))
  return [{ heading: 'Recent', items: used }, ...groups]
}

function scoreItem(query: string, { name, about = '', also = '' }: PaletteItem): number | null {
  const byName = fuzzyScore(query, name)
  if (byName !== null) return byName + NAME_BONUS
  // One word of the query may be in the name and another beside it.
  return fuzzyScore(query, `${name} ${about} ${also}`)
}
