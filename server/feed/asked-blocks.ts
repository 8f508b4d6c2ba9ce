// The blocks of a card that ask something, and their decisions.
import type { Block, BlockOf } from '../../shared/block.ts'
import type { Card } from '../../shared/card.ts'
import type { Decision } from '../../shared/decision.ts'
import type { DecisionRecord } from './decision-rows.ts'

export type Asked = { block: BlockOf<'button'>; decision: Decision }

/** The block with its decision, if it has one. */
export function askedIn(block: Block): Asked[] {
  return block.type === 'button' && block.decision ? [{ block, decision: block.decision }] : []
}

export const asksSomething = ({ blocks }: Card) =>
  blocks.some(block => block.type === 'button' && block.decision !== undefined)

/** The block of the card that shows this decision. */
export const decisionIn = (card: Card | null | undefined, decision_id: string): Asked | undefined =>
  card?.blocks.flatMap(askedIn).find(({ decision }) => decision.id === decision_id)

/** The block, with the record's decision if it is about this block. */
export function blockWithDecision(block: Block, { block_id, decision }: DecisionRecord): Block {
  return block.type === 'button' && block.id === block_id ? { ...block, decision } : block
}
