// A card: the bodies of requests and its shapes in responses.
import { z } from 'zod'
import { type Block, block, listOf } from './block.ts'
import { jsonObject } from './json-object.ts'
import { BLOCKS_MAX, CARD_KEY_MAX, CARD_STATUSES } from './limits.ts'
import { text, timestamp, uuid } from './text.ts'

export const cardStatus = z.enum(CARD_STATUSES)
export type CardStatus = z.output<typeof cardStatus>

const blocks = listOf(block, BLOCKS_MAX).superRefine((list, context) => {
  const path = findDuplicateId(list)
  if (path) context.addIssue({ code: 'custom', message: 'must be unique in the card', path })
})

export const createCardBody = z.object({ blocks, status: cardStatus.default('default') })

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
export const placedCard = card.extend({ position: z.int().min(0) })
export type PlacedCard = z.output<typeof placedCard>

export const createdCard = card.pick({ id: true, channel_id: true, key: true, created_at: true })
export type CreatedCard = z.output<typeof createdCard>
export const patchedCard = card.omit({ created_at: true })
export type PatchedCard = z.output<typeof patchedCard>
export const cardList = z.object({ cards: z.array(card), next_cursor: z.string().nullable() })
export type CardList = z.output<typeof cardList>
export const deletedCard = card.pick({ id: true, channel_id: true })
export type DeletedCard = z.output<typeof deletedCard>

function findDuplicateId(list: Block[]): (string | number)[] | null {
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
