// Makes a turn: applies mutations to the live document, and collects the rows to be written. Does no I/O.
import { randomUUID } from 'node:crypto'
import type { PlacedCard } from '../../../shared/card.ts'
import { Invalid } from '../../../shared/invalid.ts'
import { Overdue } from '../../decisions/end-question.ts'
import type { SignDecision } from '../../decisions/signing.ts'
import { ApiError } from '../../errors.ts'
import type { LiveDocument } from '../document/live-document.ts'
import { eventsOf, type TurnedCard } from '../log/events.ts'
import type { HistoryIdentity } from '../log/history.ts'
import type { LogHead } from '../log/log.ts'
import type { DailyLimits, Turn } from '../log/turn.ts'
import { NotThisTurn, type Outcome } from './mutation.ts'
import type { PendingMutation } from './mutation-queue.ts'
import type { Prefetched } from './prefetch.ts'
import { TurnBuilder } from './turn-builder.ts'
import { TurnQuota } from './turn-quota.ts'

export type TurnContext = {
  log_head: LogHead
  history: HistoryIdentity
  owner_id: string
  now: number
  day: string
  quota: { limits: DailyLimits; left: DailyLimits }
  public_url: string
  sign: SignDecision
}

/** A turn takes no further mutation when its cards have so many bytes as JSON: they are kept in memory several times. */
const BYTES_MAX = 1024 * 1024

type Applied = { pending: PendingMutation; outcome: Outcome }

/**
 * `turn` is null if the document stays the same. A mutation that must wait for another turn is neither applied nor
 * rejected. After an unexpected error, `live` is unusable.
 */
export function makeTurn(
  live: LiveDocument,
  prefetched: Prefetched,
  batch: PendingMutation[],
  context: TurnContext,
) {
  const { log_head, history, owner_id, now, day, quota, public_url, sign } = context
  const applied: Applied[] = []
  const rejected: { pending: PendingMutation; error: unknown }[] = []
  const taken = new TurnQuota(quota, now)
  const builder = new TurnBuilder(live, prefetched, {
    seq: log_head.seq + 1,
    next_position: log_head.next_position,
    now: new Date(now).toISOString(),
    public_url,
    sign,
    quota: taken,
  })
  const oldest = live.oldestThatFits() ?? 0
  const applyAll = () => {
    const before = live.clock
    applyEach()
    const changes = builder.rows.size > 0 || live.clock > before
    builder.finish(changes ? oldest : 0)
    // Stored responses and other rows need a turn, even if the document stays the same.
    const must = builder.also.length > 0 || builder.decisions.changed.size > 0 || applied.some(writesMore)
    if (must && live.clock === before) live.mark()
  }
  const applyEach = () => {
    for (const pending of batch) {
      if (taken.card_bytes >= BYTES_MAX) return
      try {
        applied.push({ pending, outcome: builder.apply(pending.request.mutation) })
      } catch (error) {
        if (error instanceof NotThisTurn) return
        if (!(error instanceof Invalid || error instanceof ApiError || error instanceof Overdue)) throw error
        rejected.push({ pending, error })
      }
    }
  }
  const update = live.transact(applyAll)
  if (!update) return { applied, rejected, turn: null }
  const rows = [...builder.rows.values()]
  const cards = (kind: TurnedCard['is']) => rows.filter(({ is }) => is === kind).map(({ card }) => card)
  const [inserted, changed, deleted] = [cards('new'), cards('changed'), cards('deleted')]
  const turn: Turn = {
    turn_id: randomUUID(),
    channel_id: live.channel_id,
    epoch: log_head.epoch,
    client_id: log_head.client_id,
    known: log_head.seq,
    known_clock: log_head.clock,
    history,
    clock: live.clock,
    bytes: taken.card_bytes,
    next_position: builder.next_position,
    card_count: log_head.card_count + inserted.length - deleted.length,
    update,
    events:
      log_head.events_until !== null && Date.parse(log_head.events_until) > now
        ? eventsOf(rows, builder.decisions.events)
        : null,
    inserted,
    changed,
    deleted: deleted.map(({ id }) => id),
    decisions: [...builder.decisions.changed.values()],
    owner_id,
    deleted_paths: deleted.flatMap(pathsOf),
    pages: [...builder.pages],
    spent: { user_id: owner_id, day, ...taken.spent },
    responses: applied.flatMap(
      ({ pending: { request }, outcome }) => request.responseToStore?.(outcome) ?? [],
    ),
    also: [...builder.also, ...applied.flatMap(alsoOf)],
  }
  return { applied, rejected, turn }
}

function alsoOf({ pending, outcome }: Applied): Turn['also'] {
  const { also } = pending.request
  return also && hasChanged(outcome) ? [tx => also(tx, outcome)] : []
}

const writesMore = ({ pending: { request }, outcome }: Applied) =>
  request.responseToStore !== undefined || (request.also !== undefined && hasChanged(outcome))

const hasChanged = (outcome: Outcome) => outcome.kind !== 'ended' || outcome.changed

function pathsOf({ id, key, channel_id }: PlacedCard): string[] {
  const ends = key === undefined ? [id] : [id, `by-key/${key}`]
  return ends.flatMap(end => ['/api/v1', '/api'].map(base => `${base}/channels/${channel_id}/cards/${end}`))
}
