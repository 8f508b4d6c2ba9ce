// Passwords that people type are for the program that asked for them. A model never gets them.
import type { Card } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import type { ChannelFeed } from '../channel-feed.ts'
import { NotFoundError } from '../errors.ts'
import type { ShownValues } from './decision-result.ts'

/** The card with empty password inputs. */
export function withoutPasswords<T extends Pick<Card, 'blocks'>>(card: T): T {
  return { ...card, blocks: card.blocks.map(block => (isPassword(block) ? { ...block, value: '' } : block)) }
}

/** What the person filled in. Null if the card isn't there any more as they saw it: any text could be a password. */
export async function shownValues(
  client: ChannelFeed,
  { channel_id, card_id, outcome }: FullDecision,
): Promise<ShownValues | null> {
  if (!outcome || card_id === null) return null
  const card = await client.channel(channel_id).card(card_id).catch(nullIfDeleted)
  if (card?.updated_at !== outcome.card_updated_at) return null
  const passwords = new Set(card.blocks.filter(isPassword).map(({ id }) => id))
  return Object.fromEntries(Object.entries(outcome.values).filter(([id]) => !passwords.has(id)))
}

const isPassword = (block: Card['blocks'][number]) =>
  block.type === 'input' && block.input_type === 'password'

function nullIfDeleted(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}
