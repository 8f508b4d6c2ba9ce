// The blocks of a card that ask a question.
import type { Block } from '../../shared/block.ts'
import type { Card } from '../../shared/card.ts'
import { isQuestionBlock, type QuestionBlock } from '../../shared/decision-rules.ts'
import type { DecisionRecord } from './rows.ts'

export const hasQuestion = ({ blocks }: Card) => blocks.some(isQuestionBlock)

/** The block of the card that shows this decision. */
export const questionBlockIn = (
  card: Card | null | undefined,
  decision_id: string,
): QuestionBlock | undefined =>
  card?.blocks.filter(isQuestionBlock).find(({ decision }) => decision.id === decision_id)

/** The block, with the record's decision if it is about this block. */
export function blockWithDecision(block: Block, { block_id, decision }: DecisionRecord): Block {
  return block.type === 'button' && block.id === block_id ? { ...block, decision } : block
}
