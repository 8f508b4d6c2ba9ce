// Parses blocks as the API does: returns the stored block or the error message.
import { block } from '../../shared/block.ts'
import { createCardBody } from '../../shared/card.ts'
import { Invalid, parse } from '../../shared/invalid.ts'

export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const stored = (given: unknown) => block.parse(given)

/** The error of a card with this block, or null if it is valid. */
export function validationError(given: unknown): string | null {
  return messageOf(() => parse(createCardBody, { blocks: [given] }))
}

/** The message of the `Invalid` that `work` throws, or null. */
export function messageOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Invalid) return error.message
    throw error
  }
}
