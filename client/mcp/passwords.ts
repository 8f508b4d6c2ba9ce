// Passwords that people type are for the program that asked for them. A model never gets them.
import type { z } from 'zod'
import type { Card } from '../../shared/card.ts'
import type { FullDecision, filledValues } from '../../shared/decision.ts'
import type { ChannelFeed } from '../channel-feed.ts'
import { NotFoundError } from '../errors.ts'

/** The card with empty password inputs. */
export function withoutPasswords<T extends Pick<Card, 'blocks'>>(card: T): T {
  return { ...card, blocks: card.blocks.map(block => (isPassword(block) ? { ...block, value: '' } : block)) }
}

const isPassword = (block: Card['blocks'][number]) => 'input_type' in block && block.input_type === 'password'

/**
 * What the person filled in. The values that were signed have no passwords, judged by the card as it was then. Null if
 * nothing was signed: any text could be a password.
 */
export async function shownValues(
  client: ChannelFeed,
  { channel_id, id, outcome }: FullDecision,
): Promise<z.output<typeof filledValues> | null> {
  if (!outcome) return null
  if (Object.keys(outcome.values).length === 0) return {}
  try {
    return (await client.decision(`${channel_id}/${id}`).signed()).values ?? {}
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
