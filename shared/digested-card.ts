// What the digest of a signed decision covers. Free of zod, because those who verify one load it.
import canonicalize from 'canonicalize'
import type { Block } from './block.ts'
import type { Card } from './card.ts'
import type { Decision } from './decision.ts'
import { isQuestionBlock, withAbandon } from './decision-rules.ts'
import type { DigestedCard, DigestedQuestion } from './signed-decision.ts'

/** `typ` in the header of a signature. */
export const SIGNATURE_TYPE = 'channel-feed-decision+jws'

/** The one text of a JSON value whatever the order of its keys (RFC 8785). Throws for numbers that JSON can't hold. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('undefined is no JSON')
  return text
}

/** The card as people see it, without what became of its questions. */
export const digestedCard = ({
  channel_id,
  id: card_id,
  status,
  blocks,
}: Pick<Card, 'channel_id' | 'id' | 'status' | 'blocks'>): DigestedCard => ({
  v: 1,
  channel_id,
  card_id,
  status,
  blocks: blocks.map(digestedBlock),
})

const digestedBlock = (block: Block) =>
  isQuestionBlock(block) ? { ...block, decision: questionOf(block.decision) } : block

function questionOf(decision: Decision): DigestedQuestion {
  const { id, key, asked_at, expires_at, who, agents, comment, if_changed, approves, abandon } =
    withAbandon(decision)
  return { id, key, asked_at, expires_at, who, agents, comment, if_changed, approves, abandon }
}
