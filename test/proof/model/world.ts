// What the service must answer: a pure model of a channel, without I/O and without a clock. It shares only types with
// the product, so that no code is compared with itself.
import type { CardStatus } from '../../../shared/card.ts'
import { type CardState, deleteCard, patchCard, postCard, putCard } from './cards.ts'

/** A request, as a client sent it. `op` is written with the content. */
export type Write =
  | { kind: 'post'; op: string; status: CardStatus }
  | { kind: 'put'; op: string; key: string }
  | { kind: 'patch'; op: string; card_id: string; status?: CardStatus; note?: boolean }
  /** A PATCH of a block that doesn't exist. */
  | { kind: 'refused'; op: string; card_id: string }
  | { kind: 'delete'; op: string; card_id: string }

export type World = {
  /** By id, oldest first. */
  cards: Map<string, CardState>
  /** Key → card id. */
  keys: Map<string, string>
}

/** `body` has every field except ids and times that the server generates. */
export type Expected = { status: number; body: unknown }

export const emptyWorld = (): World => ({ cards: new Map(), keys: new Map() })

/** Changes the world. `new_id`: of the card that the write creates, if it does; the service chose it. */
export function step(world: World, write: Write, new_id: string): Expected {
  switch (write.kind) {
    case 'post':
      return postCard(world, write, new_id)
    case 'put':
      return putCard(world, write, new_id)
    case 'patch':
    case 'refused':
      return patchCard(world, write)
    case 'delete':
      return deleteCard(world, write)
  }
}
