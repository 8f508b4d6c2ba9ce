// Blocks as the API takes them: how one is stored, or the message with which it is refused.
import { block } from '../../shared/block.ts'
import { createCardBody } from '../../shared/card.ts'
import { Invalid, parse } from '../../shared/invalid.ts'

export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const stored = (given: unknown) => block.parse(given)

/** The refusal of a card with this one block, null where it is taken. */
export function refusalOf(given: unknown): string | null {
  return messageOf(() => parse(createCardBody, { blocks: [given] }))
}

/** The message of the `Invalid` that `work` throws, null where it throws none. */
export function messageOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Invalid) return error.message
    throw error
  }
}
