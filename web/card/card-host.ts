// What cards need of the place where they are shown: an open channel, or a preview that sends nothing.
import type { PlacedCard } from '../../shared/card.ts'
import type { Mode } from '../../shared/channel.ts'
import type { Looks } from '../../shared/looks.ts'
import type { CardDrafts } from '../data/drafts/drafts.ts'
import type { Outbox } from '../data/outbox/outbox.ts'
import type { Viewer } from '../data/viewer.ts'
import type { Link } from '../lib/reconnect.ts'
import { createRequiredContext } from '../lib/required-context.ts'

export type CardHost = {
  channel_id: string
  /** As it is now; undefined once it is deleted. */
  cardOf: (cardId: string) => PlacedCard | undefined
  /** Undefined until the channel is known. */
  mode: () => Mode | undefined
  link: () => Link
  drafts: Pick<CardDrafts, 'read' | 'write' | 'discard' | 'markSent' | 'sentDraft' | 'isSecret' | 'conceal'>
  outbox: Pick<
    Outbox,
    'interactions' | 'ready' | 'add' | 'remove' | 'dismiss' | 'retryDelivery' | 'recheckDelivery'
  >
  viewer: () => Viewer | undefined
  /** Asks the server again what the viewer may do, once for each reason. */
  refreshView: (reason: string) => void
  /** A preview has no agents. */
  fetchLooks: (() => Promise<Looks>) | null
  canEdit: () => boolean
  /** Whether the viewer chose to act by name. Undefined without a choice. */
  byName: () => boolean | undefined
}

export const [CardHostContext, useCardHost] = createRequiredContext<CardHost>('CardHostContext')
