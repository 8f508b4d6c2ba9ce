// A card: the bodies of requests and its shapes in responses.
import { z } from 'zod'
import { type Block, block, type NewBlock, newBlock } from './block.ts'
import { listOf } from './blocks/fields.ts'
import { decisionSummary, type NewDecision, ONE_KEY_RULE } from './decision.ts'
import { jsonObject } from './json-object.ts'
import { BLOCKS_MAX, CARD_KEY_MAX, CARD_STATUSES } from './limits.ts'
import { cardReceipts } from './receipt.ts'
import { text, timestamp, uuid } from './text.ts'

export const cardStatus = z.enum(CARD_STATUSES)
export type CardStatus = z.output<typeof cardStatus>

const blocks = listOf(newBlock, BLOCKS_MAX).superRefine((list, context) => {
  const path = findDuplicateId(list)
  if (path) context.addIssue({ code: 'custom', message: 'must be unique in the card', path })
  const comment = findStrayComment(list)
  if (comment) context.addIssue({ code: 'custom', message: 'goes with a decision', path: comment })
})

/** A question of a request, and where it stands there: `['blocks', 1, 'decision']`. */
export type DecisionRequest = { block_id: string; path: (string | number)[]; settings: NewDecision }

/** The output has blocks without decisions, and the questions separately; undefined if the card asks nothing. */
export const createCardBody = z
  .object({ blocks, status: cardStatus.default('default') })
  .superRefine(({ blocks }, context) => {
    if (blocks.filter(hasKey).length < 2) return
    context.addIssue({ code: 'custom', message: ONE_KEY_RULE, path: ['decision', 'key'] })
  })
  .transform(({ blocks, status }): { blocks: Block[]; status: CardStatus; questions?: DecisionRequest[] } => {
    const questions = questionsOf(blocks)
    const plain = blocks.map(withoutQuestion)
    return questions.length > 0 ? { blocks: plain, status, questions } : { blocks: plain, status }
  })

function questionsOf(blocks: NewBlock[]): DecisionRequest[] {
  const questions: DecisionRequest[] = []
  for (const [i, block] of blocks.entries()) {
    if (block.type !== 'button' || !block.decision) continue
    questions.push({ block_id: block.id, path: ['blocks', i, 'decision'], settings: block.decision })
  }
  return questions
}

function withoutQuestion(block: NewBlock): Block {
  if (block.type !== 'button') return block
  const { decision: _, ...plain } = block
  return plain
}

const hasKey = (block: NewBlock) => block.type === 'button' && (block.decision?.key ?? null) !== null

/** `patchCard` in card-patch.ts checks the fields of a patch: they depend on the block's type. */
export const patchCardBody = z.object({
  status: cardStatus.optional(),
  blocks: z.array(z.object({ id: z.string(), patch: jsonObject })).optional(),
})
export type PatchCardBody = z.output<typeof patchCardBody>

export const card = z.object({
  id: uuid,
  channel_id: uuid,
  status: cardStatus,
  blocks: z.array(block),
  created_at: timestamp,
  updated_at: timestamp,
  key: text(CARD_KEY_MAX).optional().describe('If it was pushed with a key.'),
})
export type Card = z.output<typeof card>

/** Positions rise in the order of creation. */
export const placedCard = card.extend({
  position: z.int().min(0),
  acts: cardReceipts.optional().describe('The receipts that viewers see.'),
})
export type PlacedCard = z.output<typeof placedCard>

export const createdCard = card.pick({ id: true, channel_id: true, key: true, created_at: true })
export type CreatedCard = z.output<typeof createdCard>
/** `joined`: the same question was waiting already, so no card was created. */
export const cardWithDecisions = createdCard.extend({
  decisions: z.array(decisionSummary),
  warnings: z.array(z.string()).optional(),
  joined: z.literal(true).optional(),
})
export type CardWithDecisions = z.output<typeof cardWithDecisions>
export const patchedCard = card.omit({ created_at: true })
export type PatchedCard = z.output<typeof patchedCard>
export const cardList = z.object({ cards: z.array(card), next_cursor: z.string().nullable() })
export type CardList = z.output<typeof cardList>
export const deletedCard = card.pick({ id: true, channel_id: true })
export type DeletedCard = z.output<typeof deletedCard>

function findStrayComment(list: NewBlock[]): (string | number)[] | null {
  for (const [i, block] of list.entries()) {
    if (block.type !== 'button' || block.decision) continue
    const j = block.buttons.findIndex(({ comment }) => comment !== undefined)
    if (j >= 0) return [i, 'buttons', j, 'comment']
  }
  return null
}

function findDuplicateId(list: NewBlock[]): (string | number)[] | null {
  const blockIds = new Set<string>()
  const buttonIds = new Set<string>()
  for (const [i, { id, ...rest }] of list.entries()) {
    if (blockIds.has(id)) return [i, 'id']
    blockIds.add(id)
    if (rest.type !== 'button') continue
    for (const [j, button] of rest.buttons.entries()) {
      if (buttonIds.has(button.id)) return [i, 'buttons', j, 'id']
      buttonIds.add(button.id)
    }
  }
  return null
}
