// The rules of cards.
import type { CardStatus } from '../../../shared/card.ts'
import type { Expected, World, Write } from './world.ts'

export type CardState = {
  status: CardStatus
  key: string | null
  /** The operation that wrote all blocks. */
  content: string
  note: string
  /** The operations that patched the card since, in order. */
  rows: string[]
}

const NOT_FOUND: Expected = { status: 404, body: { error: 'Card not found' } }

/** The blocks of every card of a run. */
export const blocksOf = ({ content, note, rows }: Pick<CardState, 'content' | 'note' | 'rows'>) => [
  { type: 'text', id: 'content', content, size: 'md', bold: false },
  { type: 'text', id: 'note', content: note, size: 'md', bold: false },
  { type: 'kv', id: 'rows', rows: rows.map(key => ({ key, value: '' })) },
]

/** What a card looks like, without what the server generates. */
export const bodyOf = (card: CardState) => ({
  status: card.status,
  blocks: blocksOf(card),
  ...(card.key !== null && { key: card.key }),
})

type Of<K extends Write['kind']> = Extract<Write, { kind: K }>

export function postCard(world: World, { op, status }: Of<'post'>, new_id: string): Expected {
  world.cards.set(new_id, { status, key: null, content: op, note: '', rows: [] })
  return { status: 201, body: { id: new_id } }
}

export function putCard(world: World, { op, key }: Of<'put'>, new_id: string): Expected {
  const known_id = world.keys.get(key)
  const card: CardState = { status: 'default', key, content: op, note: '', rows: [] }
  world.cards.set(known_id ?? new_id, card)
  if (known_id !== undefined) return { status: 200, body: { id: known_id, ...bodyOf(card) } }
  world.keys.set(key, new_id)
  return { status: 201, body: { id: new_id, key } }
}

export function patchCard(world: World, write: Of<'patch'> | Of<'refused'>): Expected {
  const { card_id: id, op } = write
  const card = world.cards.get(id)
  if (!card) return NOT_FOUND
  if (write.kind === 'refused') return { status: 400, body: { error: 'blocks[1]: no block with id "none"' } }
  const { status = card.status, note } = write
  const patched = { ...card, status, note: note ? op : card.note, rows: [...card.rows, op] }
  world.cards.set(id, patched)
  return { status: 200, body: { id, ...bodyOf(patched) } }
}

export function deleteCard(world: World, { card_id }: Of<'delete'>): Expected {
  const card = world.cards.get(card_id)
  if (!card) return NOT_FOUND
  world.cards.delete(card_id)
  if (card.key !== null) world.keys.delete(card.key)
  return { status: 204, body: null }
}
