// The writes that share a turn: applied to the live document in one Yjs transaction, and what is to be committed of it.
import { dailyLimitReached } from '../rate-limit.ts'
import { eventsOf } from './events.ts'
import type { Settled } from './history.ts'
import type { LiveDocument } from './live-document.ts'
import type { DocumentHead } from './log.ts'
import { isRefusal, NotThisTurn, type Outcome, type Prefetched, Turn } from './turn.ts'
import type { TurnRecord } from './turn-record.ts'
import type { QueuedWrite } from './write-queue.ts'

export type BatchSetting = {
  head: DocumentHead
  history: Settled
  owner_id: string
  /** Milliseconds since 1970. */
  now: number
  /** Its day in UTC, `YYYY-MM-DD`. */
  day: string
  quota: { limit: number | null; left: number | null }
}

export type AppliedBatch = {
  done: { queued: QueuedWrite; outcome: Outcome }[]
  refused: { queued: QueuedWrite; error: unknown }[]
  /** Cards that count toward the owner's day. */
  spent: number
  /** null where the document stays as it is: then nothing is to be committed. */
  record: TurnRecord | null
}

/** Writes that must wait for another turn are in neither list. A fault is thrown, and leaves `live` unusable. */
export function applyBatch(
  live: LiveDocument,
  prefetched: Prefetched,
  batch: QueuedWrite[],
  setting: BatchSetting,
): AppliedBatch {
  const { head, now, quota } = setting
  const done: AppliedBatch['done'] = []
  const refused: AppliedBatch['refused'] = []
  let spent = 0
  const turn = new Turn(live, prefetched, {
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
    for (const queued of batch) {
      const { write, keep, also } = queued.request
      const before = live.clock
      try {
        const outcome = turn.apply(write)
        // What hangs on this write needs a turn in the log, also where the document stays as it is.
        if ((keep || also) && live.clock === before) live.mark()
        done.push({ queued, outcome })
      } catch (error) {
        if (error instanceof NotThisTurn) return
        if (!isRefusal(error)) throw error
        refused.push({ queued, error })
      }
    }
  })
  const record = update && recordOf(turn, { update, live, done, spent, setting })
  return { done, refused, spent, record }
}

type Parts = Pick<AppliedBatch, 'done' | 'spent'> & {
  update: Uint8Array
  live: LiveDocument
  setting: BatchSetting
}

function recordOf(turn: Turn, { update, live, done, spent, setting }: Parts): TurnRecord {
  const { head, history, owner_id, now, day } = setting
  return {
    channel_id: live.channel_id,
    epoch: head.epoch,
    client_id: head.client_id,
    known: head.seq,
    known_clock: head.clock,
    history,
    clock: live.clock,
    next_position: turn.next_position,
    card_count: head.card_count + turn.card_delta,
    update,
    events: head.events_until !== null && Date.parse(head.events_until) > now ? eventsOf(turn) : null,
    ...rowsOf(turn),
    owner_id,
    forgotten_paths: pathsOfDeleted(turn),
    pages: [...turn.pages],
    spent: spent > 0 ? { user_id: owner_id, day, cards: spent } : null,
    answers: done.flatMap(({ queued: { request }, outcome }) => request.keep?.(outcome) ?? []),
    also: done.flatMap(({ queued: { request } }) => request.also ?? []),
  }
}

/** Where requests about the turn's deleted cards were sent, in both route families; as kept answers have it. */
function pathsOfDeleted(turn: Turn): string[] {
  return [...turn.rows.values()].flatMap(({ card, is }) => {
    if (is !== 'deleted') return []
    const ends = [card.id, ...(card.key === undefined ? [] : [`by-key/${card.key}`])]
    return ends.flatMap(end =>
      ['/api/v1', '/api'].map(base => `${base}/channels/${card.channel_id}/cards/${end}`),
    )
  })
}

function rowsOf(turn: Turn): Pick<TurnRecord, 'inserted' | 'changed' | 'deleted'> {
  const rows = [...turn.rows.values()]
  return {
    inserted: rows.filter(({ is }) => is === 'new').map(({ card }) => card),
    changed: rows.filter(({ is }) => is === 'changed').map(({ card }) => card),
    deleted: rows.filter(({ is }) => is === 'deleted').map(({ card }) => card.id),
  }
}
