// The address of a card, and its words as text.
import type { Block } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'

/** The query parameter that names the card. Servers write the same address. */
export const CARD = 'card'

export const channelAddress = (channelId: string) => `${location.origin}/c/${encodeURIComponent(channelId)}`

export const cardAddress = (channelId: string, cardId: string) =>
  `${channelAddress(channelId)}?${CARD}=${encodeURIComponent(cardId)}`

export const cardText = ({ blocks }: Pick<PlacedCard, 'blocks'>) =>
  blocks
    .map(wordsOf)
    .filter(words => words !== '')
    .join('\n')

function wordsOf(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.content
    case 'badge':
      return `[${block.label}]`
    case 'kv':
      return block.rows.map(({ key, value }) => `${key}: ${value}`).join('\n')
    case 'image':
      return [block.alt, block.url].filter(Boolean).join(': ')
    default:
      return ''
  }
}
