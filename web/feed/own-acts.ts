// Which cards the viewer has acted on: nobody's own act is news to them.
import type { PlacedCard } from '../../shared/card.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { isOwnCard } from '../data/own-cards.ts'
import { isByOwner } from '../data/viewer.ts'

export type OwnActs = (card: PlacedCard) => boolean

/** Returns the function that tells whether the viewer pushed a card, or acted on it, on this device or as the owner. */
export function createOwnActs(feed: PageFeed): OwnActs {
  const outbox = useOutbox()
  const decided = ({ blocks }: PlacedCard) =>
    blocks.some(block => {
      const outcome = 'decision' in block && block.decision?.outcome
      return outcome && isByOwner(outcome.by, feed.viewer())
    })
  const pressed = ({ acts = {} }: PlacedCard) =>
    Object.values(acts).some(({ latest }) => latest.some(({ by }) => isByOwner(by, feed.viewer())))
  return card =>
    isOwnCard(card.id) ||
    outbox.interactions().some(({ card_id }) => card_id === card.id) ||
    decided(card) ||
    pressed(card)
}
