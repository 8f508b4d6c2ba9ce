// A turn: the mutations of one channel that are committed together, as one update in the log. And how its commit ends.
import type { PlacedCard } from '../../../shared/card.ts'
import type { Transaction } from '../../database/connect.ts'
import type { DecisionRecord } from '../../decisions/rows.ts'
import type { FeedEvent } from './events.ts'
import type { HistoryIdentity } from './history.ts'
import type { StoredResponse } from './stored-responses.ts'

/** Counted against a user's UTC day, or all that the day has used. */
export type Spent = { user_id: string; day: string; cards: number; bytes: number }

/** Per user and UTC day; null: no limit. */
export type DailyLimits = { cards: number | null; bytes: number | null }

export type Turn = {
  /** Finds the turn in the log after a broken connection. */
  turn_id: string
  channel_id: string
  /** The end of the log that the turn was made on. The append fails if the log ends elsewhere. */
  epoch: number
  client_id: number
  known: number
  known_clock: number
  history: HistoryIdentity
  clock: number
  next_position: number
  card_count: number
  update: Uint8Array
  /** What its new and changed cards take as JSON. */
  bytes: number
  events: FeedEvent[] | null
  inserted: PlacedCard[]
  changed: PlacedCard[]
  deleted: string[]
  decisions: DecisionRecord[]
  owner_id: string
  /** Paths of requests about deleted cards. Stored responses to them lose the card. */
  deleted_paths: string[]
  pages: number[]
  spent: Spent
  responses: StoredResponse[]
  /** Each may return how many bytes it adds to what the turn spends. */
  also: ((tx: Transaction) => Promise<number | undefined>)[]
}

/** `lost`: another instance has written since. `history`: the database is another one. */
export type CommitResult =
  /** `used`: the owner's daily usage with this turn; null if nothing was counted. */
  | { kind: 'committed'; used: number | null }
  | { kind: 'lost' | 'history' | 'over_quota' | 'key_taken' }
  /** The connection broke. Only the log tells whether the turn was committed. */
  | { kind: 'unknown' }
  /** Nothing was committed: a row stayed locked, or the database can't write now. */
  | { kind: 'unavailable' }
  | { kind: 'failed'; error: unknown }
