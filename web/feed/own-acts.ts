// Which cards the viewer has acted on: nobody's own act is news to them.
import type { PlacedCard } from '../../shared/card.ts'
import type { DecidedBy } from '../../shared/decision.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { isOwnCard } from '../data/own-cards.ts'

export type OwnActs = (card: PlacedCard) => boolean

/** Returns the function that tells whether the viewer pushed a card, or acted on it, on this device or as the owner. */
export function createOwnActs(feed: PageFeed): OwnActs {
  const outbox = useOutbox()
  const isMine = ({ kind, name }: DecidedBy) =>
    kind === 'owner' && name !== null && feed.viewer()?.you.kind === 'owner'
  const decided = ({ blocks }: PlacedCard) =>
    blocks.some(block => 'decision' in block && block.decision?.outcome && isMine(block.decision.outcome.by))
  const pressed = ({ acts = {} }: PlacedCard) =>
    Object.values(acts).some(({ latest }) => latest.some(({ by }) => isMine(by)))
  return card =>
    isOwnCard(card.id) ||
    outbox.interactions().some(({ card_id }) => card_id === card.id) ||
    decided(card) ||
    pressed(card)
}
