// The rules of cards.
import type { CardStatus } from '../../../shared/card.ts'
import { takePosition, touch } from './pages.ts'
import { QUESTION_BLOCK } from './questions.ts'
import { CARD_NOT_FOUND } from './refusals.ts'
import type { Chosen, Expected, World, Write } from './world.ts'

export type CardState = {
  /** The order of creation. */
  position: number
  status: CardStatus
  key: string | null
  /** The operation that wrote all blocks. */
  content: string
  /** The operations that patched these fields last. */
  note: string
  answer: string
  label: string
  /** The operations that patched the card since, in order. */
  rows: string[]
  /** Whether it has a block that asks. What became of the question is for another checker. */
  asks: boolean
  /** Whether it has blocks that only fill it. */
  large: boolean
}

/** What a PATCH may change besides the rows. */
export type Field = 'note' | 'answer' | 'label'

type Contents = Pick<CardState, 'content' | 'rows' | 'asks' | 'large' | Field>

/** Twelve such cards take more than the 2 MiB from which a worker takes a channel's snapshots. */
export const FILLING = Array.from({ length: 22 }, (_, i) => ({
  type: 'text',
  id: `filling-${i}`,
  content: 'x'.repeat(10_000),
  size: 'md',
  bold: false,
}))

export const newContents = (
  op: string,
  { asks = false, large = false }: { asks?: boolean; large?: boolean } = {},
): Contents => ({
  asks,
  large,
  content: op,
  note: '',
  answer: '',
  label: 'OK',
  rows: [],
})

/** The blocks of every card of a run. */
export const blocksOf = ({ asks, large, content, note, answer, label, rows }: Contents) => [
  { type: 'text', id: 'content', content, size: 'md', bold: false },
  { type: 'text', id: 'note', content: note, size: 'md', bold: false },
  { type: 'kv', id: 'rows', rows: rows.map(key => ({ key, value: '' })) },
  {
    type: 'input',
    id: 'answer',
    label: 'Answer',
    value: answer,
    input_type: 'text',
    required: false,
    multiline: false,
    disabled: false,
    send_on_change: true,
  },
  { type: 'button', id: 'buttons', buttons: [{ id: 'ok', label, style: 'primary', disabled: false }] },
  ...(asks ? [{ type: 'button', id: QUESTION_BLOCK }] : []),
  ...(large ? FILLING : []),
]

/** The body of a PATCH that appends a row with the operation's id and changes these fields. */
export function patchOf({ op, status, fields = [] }: Omit<Of<'patch'>, 'kind' | 'card_id'>) {
  const patches: Record<Field, object> = {
    note: { id: 'note', patch: { content: op } },
    answer: { id: 'answer', patch: { value: op } },
    label: { id: 'buttons', patch: { buttons: [{ id: 'ok', patch: { label: op } }] } },
  }
  const append = { id: 'rows', patch: { append_rows: [{ key: op, value: '' }] } }
  return { ...(status && { status }), blocks: [...fields.map(field => patches[field]), append] }
}

/** What a card looks like, without what the server generates. */
export const bodyOf = (card: CardState) => ({
  status: card.status,
  blocks: blocksOf(card),
  ...(card.key !== null && { key: card.key }),
})

type Of<K extends Write['kind']> = Extract<Write, { kind: K }>

export function postCard(
  world: World,
  { op, status, question }: Of<'post'>,
  { new_id, seq }: Chosen,
): Expected {
  const contents = newContents(op, { asks: question !== undefined })
  world.cards.set(new_id, { position: takePosition(world, seq), status, key: null, ...contents })
  return { status: 201, body: { id: new_id } }
}

export function putCard(world: World, { op, key, large }: Of<'put'>, { new_id, seq }: Chosen): Expected {
  const known_id = world.keys.get(key)
  const known = known_id === undefined ? undefined : world.cards.get(known_id)
  const card = { status: 'default' as const, key, ...newContents(op, { large }) }
  if (known_id === undefined || !known) {
    world.cards.set(new_id, { position: takePosition(world, seq), ...card })
    world.keys.set(key, new_id)
    return { status: 201, body: { id: new_id, key } }
  }
  const replaced = { position: known.position, ...card }
  world.cards.set(known_id, replaced)
  touch(world, replaced, seq)
  return { status: 200, body: { id: known_id, ...bodyOf(replaced) } }
}

export function patchCard(world: World, write: Of<'patch'>, { seq }: Chosen): Expected {
  const { card_id: id, op, fields = [] } = write
  const card = world.cards.get(id)
  if (!card) return CARD_NOT_FOUND
  const changes = Object.fromEntries(fields.map(field => [field, op]))
  const patched = { ...card, ...changes, status: write.status ?? card.status, rows: [...card.rows, op] }
  world.cards.set(id, patched)
  touch(world, patched, seq)
  return { status: 200, body: { id, ...bodyOf(patched) } }
}

export function deleteCard(world: World, { card_id }: Of<'delete'>, { seq }: Chosen): Expected {
  const card = world.cards.get(card_id)
  if (!card) return CARD_NOT_FOUND
  world.cards.delete(card_id)
  if (card.key !== null) world.keys.delete(card.key)
  touch(world, card, seq)
  return { status: 204, body: null }
}
