// The newest cards of a channel, enough for a screen: a page shows them before it has read, or even has, the document
// with all the others.
import type * as Y from 'yjs'
import type { PlacedCard } from './card.ts'
import type { ChannelHead } from './channel.ts'
import { type CardMap, pagesOf, readCard, readHead } from './channel-doc.ts'

/** A phone's screen shows fewer; a wide one fills up with what comes next. */
const COUNT = 6

/** Newest first, by the page of the document that they are on. Plain values. */
export type FirstCards = { head: ChannelHead; pages: { page: number; cards: PlacedCard[] }[] }

/** undefined while the document has not arrived. */
export function firstCardsOf(doc: Y.Doc, channel_id: string): FirstCards | undefined {
  const head = readHead(doc)
  if (!head) return undefined
  const first: FirstCards = { head, pages: [] }
  let missing = COUNT
  const newestFirst = [...pagesOf(doc)].sort(([a], [b]) => Number(b) - Number(a))
  for (const [number, page] of newestFirst) {
    if (missing === 0) break
    const cards = [...page.values()].sort((a, b) => positionOf(b) - positionOf(a)).slice(0, missing)
    first.pages.push({ page: Number(number), cards: cards.map(card => readCard(card, channel_id)) })
    missing -= cards.length
  }
  return structuredClone(first)
}

const positionOf = (card: CardMap) => Number(card.get('position'))
