// What the service must answer: a pure model of a channel, without I/O and without a clock. It shares only types with
// the product, so that no code is compared with itself.
import type { CardStatus } from '../../../shared/card.ts'
import { type CardState, deleteCard, type Field, patchCard, postCard, putCard } from './cards.ts'
import type { Question } from './questions.ts'

/** A request that the log of its channel orders, as a client sent it. `op` is written with the content. */
export type Write =
  | { kind: 'post'; op: string; status: CardStatus; question?: Question }
  /** `large`: the card takes most of what a card may. */
  | { kind: 'put'; op: string; key: string; large?: boolean }
  | { kind: 'patch'; op: string; card_id: string; status?: CardStatus; fields?: Field[] }
  | { kind: 'delete'; op: string; card_id: string }

export type World = {
  /** By id, oldest first. */
  cards: Map<string, CardState>
  /** Key → card id. */
  keys: Map<string, string>
  next_position: number
  /** Older pages have left a document that was too large. The service may choose when, so the log tells. */
  left?: number
  /** Page → seq of its last change. */
  changed: Map<number, number>
  /** The same of archived pages: only changes of the turn in which they left, and later ones. */
  touched: Map<number, number>
}

/** `body` has every field except ids and times that the server generates. */
export type Expected = { status: number; body: unknown }

/** What the service chose: the id of the card that the write creates, if it does, and the seq of its turn. */
export type Chosen = { new_id: string; seq: number }

export const emptyWorld = (): World => ({
  cards: new Map(),
  keys: new Map(),
  next_position: 0,
  changed: new Map(),
  touched: new Map(),
})

/** Changes the world. */
export function step(world: World, write: Write, chosen: Chosen): Expected {
  switch (write.kind) {
    case 'post':
      return postCard(world, write, chosen)
    case 'put':
      return putCard(world, write, chosen)
    case 'patch':
      return patchCard(world, write, chosen)
    case 'delete':
      return deleteCard(world, write, chosen)
  }
}
