// A turn as the commit takes it: what goes to the log, and the rows that stand or fall with it.
import type { PlacedCard } from '../../shared/card.ts'
import type { Transaction } from '../database/connect.ts'
import type { CardEvent } from './events.ts'
import type { Settled } from './history.ts'

/** Cards counted against a user's UTC day, or what the day has used. */
export type Spent = { user_id: string; day: string; cards: number }

/** A turn and the attempt to get it into the log. */
export type Attempt = { turn: TurnRecord; turn_id: string }

/** A turn on its way to the log. */
export type TurnRecord = {
  channel_id: string
  /** The turn that this one was made on: the append fails if the log doesn't end with it. */
  epoch: number
  client_id: number
  known: number
  known_clock: number
  /** The database that the turn was made for: any other one refuses it. */
  history: Settled
  clock: number
  next_position: number
  card_count: number
  update: Uint8Array
  /** What event streams are to tell of it; null while nobody listens. */
  events: CardEvent[] | null
  inserted: PlacedCard[]
  changed: PlacedCard[]
  deleted: string[]
  /** The channel's owner, and the paths below which answers to its requests are kept that show a deleted card. */
  owner_id: string
  forgotten_paths: string[]
  /** Archived pages that it changed. */
  pages: number[]
  /** Cards counted against the channel owner's daily limit. */
  spent: Spent | null
  answers: KeptAnswer[]
  /** Rows beside the document that must stand or fall with it. */
  also: ((tx: Transaction) => Promise<void>)[]
}

/** The answer to a request with an Idempotency-Key, kept with what the request did. */
export type KeptAnswer = {
  user_id: string
  method: string
  path: string
  key: string
  body_hash: string
  status: number
  response: string
}
