// A turn: the mutations of one channel that are committed together. They are applied to the live document in one Yjs
// transaction, and become one update in the log.
import { randomUUID } from 'node:crypto'
import type { PlacedCard } from '../../shared/card.ts'
import { Invalid } from '../../shared/invalid.ts'
import type { Transaction } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import { dailyLimitReached } from '../rate-limit.ts'
import { type CardEvent, eventsOf } from './events.ts'
import type { HistoryIdentity } from './history.ts'
import type { LiveDocument } from './live-document.ts'
import type { DocumentHead } from './log.ts'
import type { Outcome } from './mutation.ts'
import type { PendingMutation } from './mutation-queue.ts'
import type { StoredResponse } from './stored-responses.ts'
import { NotThisTurn, type Prefetched, TurnBuilder } from './turn-builder.ts'

/** Cards counted against a user's UTC day, or all that the day has used. */
export type Spent = { user_id: string; day: string; cards: number }

/** What is appended to the log, and the rows that are written in the same statement. */
export type Turn = {
  /** Tells after a broken connection whether the turn is in the log. */
  turn_id: string
  channel_id: string
  /** The end of the log that the turn was made on. The append fails if the log ends elsewhere. */
  epoch: number
  client_id: number
  known: number
  known_clock: number
  /** The append fails on any other database. */
  history: HistoryIdentity
  clock: number
  next_position: number
  card_count: number
  update: Uint8Array
  /** null while there are no event streams. */
  events: CardEvent[] | null
  inserted: PlacedCard[]
  changed: PlacedCard[]
  deleted: string[]
  owner_id: string
  /** Paths of requests about deleted cards. Stored responses to them are deleted. */
  deleted_paths: string[]
  pages: number[]
  spent: Spent | null
  responses: StoredResponse[]
  /** Write rows beside the document, in the same transaction. */
  also: ((tx: Transaction) => Promise<void>)[]
}

export type TurnContext = {
  head: DocumentHead
  history: HistoryIdentity
  owner_id: string
  now: number
  /** The UTC day of `now`, `YYYY-MM-DD`. */
  day: string
  quota: { limit: number | null; left: number | null }
}

type Applied = { pending: PendingMutation; outcome: Outcome }[]
type Rejected = { pending: PendingMutation; error: unknown }[]

/**
 * Applies `batch` to `live`. `turn` is null if the document stays the same. A mutation that must wait for another turn
 * is neither applied nor rejected. After an unexpected error, `live` is unusable.
 */
export function makeTurn(
  live: LiveDocument,
  prefetched: Prefetched,
  batch: PendingMutation[],
  context: TurnContext,
): { applied: Applied; rejected: Rejected; turn: Turn | null } {
  const { head, now, quota } = context
  const applied: Applied = []
  const rejected: Rejected = []
  let spent = 0
  const builder = new TurnBuilder(live, prefetched, {
    seq: head.seq + 1,
    next_position: head.next_position,
    now: new Date(now).toISOString(),
    spend: () => {
      if (quota.left !== null && spent >= quota.left) throw dailyLimitReached('cards', quota.limit ?? 0, now)
      spent++
      return quota.left === null ? null : quota.left - spent
    },
  })
  const update = live.transact(() => {
    for (const pending of batch) {
      const { mutation, responseToStore, also } = pending.request
      const before = live.clock
      try {
        const outcome = builder.apply(mutation)
        // A stored response and rows beside the document need a turn, even if the document stays the same.
        if ((responseToStore || also) && live.clock === before) live.mark()
        applied.push({ pending, outcome })
      } catch (error) {
        if (error instanceof NotThisTurn) return
        if (!(error instanceof Invalid || error instanceof ApiError)) throw error
        rejected.push({ pending, error })
      }
    }
  })
  const turn = update && turnOf(builder, live, update, applied, spent, context)
  return { applied, rejected, turn }
}

function turnOf(
  builder: TurnBuilder,
  live: LiveDocument,
  update: Uint8Array,
  applied: Applied,
  spent: number,
  { head, history, owner_id, now, day }: TurnContext,
): Turn {
  const rows = [...builder.rows.values()]
  const deleted = rows.filter(({ is }) => is === 'deleted').map(({ card }) => card)
  return {
    turn_id: randomUUID(),
    channel_id: live.channel_id,
    epoch: head.epoch,
    client_id: head.client_id,
    known: head.seq,
    known_clock: head.clock,
    history,
    clock: live.clock,
    next_position: builder.next_position,
    card_count: head.card_count + builder.card_delta,
    update,
    events: head.events_until !== null && Date.parse(head.events_until) > now ? eventsOf(rows) : null,
    inserted: rows.filter(({ is }) => is === 'new').map(({ card }) => card),
    changed: rows.filter(({ is }) => is === 'changed').map(({ card }) => card),
    deleted: deleted.map(({ id }) => id),
    owner_id,
    deleted_paths: deleted.flatMap(pathsOf),
    pages: [...builder.pages],
    spent: spent > 0 ? { user_id: owner_id, day, cards: spent } : null,
    responses: applied.flatMap(
      ({ pending: { request }, outcome }) => request.responseToStore?.(outcome) ?? [],
    ),
    also: applied.flatMap(({ pending: { request } }) => request.also ?? []),
  }
}

function pathsOf({ id, key, channel_id }: PlacedCard): string[] {
  const ends = key === undefined ? [id] : [id, `by-key/${key}`]
  return ends.flatMap(end => ['/api/v1', '/api'].map(base => `${base}/channels/${channel_id}/cards/${end}`))
}
