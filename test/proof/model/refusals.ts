// Requests that must be refused, and with which words.
import type { Expected } from './world.ts'

export type Refused = { kind: 'refused'; op: string } & (
  | { how: 'unknown block' | 'wrong field' | 'bad status'; card_id: string }
  /** A PUT without blocks. */
  | { how: 'no blocks'; key: string }
  /** An Idempotency-Key that another body was sent with. */
  | { how: 'used key'; used_key: string }
)

export const REFUSALS = ['unknown block', 'wrong field', 'bad status', 'no blocks', 'used key'] as const

const refuse = (status: number, error: string): Expected => ({ status, body: { error } })

export const CARD_NOT_FOUND = refuse(404, 'Card not found')
export const KEY_IN_USE = refuse(409, 'A different question with this key is waiting')
export const OVER_QUOTA = refuse(429, 'Daily card limit reached')

const ANSWERS: Record<Refused['how'], Expected> = {
  'unknown block': refuse(400, 'blocks[1]: no block with id "none"'),
  'wrong field': refuse(400, 'blocks[1].patch.rows is not a field of a text block that can be patched'),
  'bad status': refuse(400, 'status must be one of default, success, warning, error, pending'),
  'no blocks': refuse(400, 'blocks are required'),
  'used key': refuse(422, 'Idempotency-Key was used with a different request'),
}

/** The answer if the card exists. Otherwise it is `CARD_NOT_FOUND`. */
export const refusalOf = ({ how }: Refused): Expected => ANSWERS[how]

/** The body that is refused. */
export function refusedBody({ how, op }: Refused): object {
  const append = { id: 'rows', patch: { append_rows: [{ key: op, value: '' }] } }
  switch (how) {
    case 'unknown block':
      return { blocks: [append, { id: 'none', patch: {} }] }
    case 'wrong field':
      return { blocks: [append, { id: 'content', patch: { rows: [] } }] }
    case 'bad status':
      return { status: 'none', blocks: [append] }
    case 'no blocks':
      return { status: 'success' }
    case 'used key':
      return { blocks: [{ type: 'text', id: 'content', content: op }] }
  }
}
