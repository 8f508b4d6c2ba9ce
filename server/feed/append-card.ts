// The SQL of the most frequent commit: one turn with one new card. Without JSON, it takes a quarter less of the database.
import type { PlacedCard } from '../../shared/card.ts'
import type { Sql } from '../database/connect.ts'
import type { Spent, Turn } from './turn.ts'

export function onlyCard(turn: Turn): { card: PlacedCard; spent: Spent } | null {
  const { inserted, changed, deleted, pages, responses, also, spent } = turn
  const [card] = inserted
  const rows =
    inserted.length + changed.length + deleted.length + pages.length + responses.length + also.length
  return card && spent && rows === 1 ? { card, spent } : null
}

export async function appendCard(
  sql: Sql,
  turn: Turn,
  { card, spent }: { card: PlacedCard; spent: Spent },
  limit: number | null,
  lock_ms: number | null,
): Promise<Spent[]> {
  const { turn_id, channel_id, epoch, client_id, known, known_clock, history } = turn
  const { clock, next_position, card_count, update } = turn
  const bytes = Buffer.from(update.buffer, update.byteOffset, update.length)
  const events = turn.events && JSON.stringify(turn.events)
  const [row] = await sql<{ cards: number }[]>`
    with appended as (
      update documents set seq = ${known + 1}, clock = ${clock}, next_position = ${next_position},
        card_count = ${card_count}
      ${lock_ms === null ? sql`` : sql`from set_config('lock_timeout', ${String(lock_ms)}, true)`}
      where channel_id = ${channel_id} and epoch = ${epoch} and seq = ${known} and client_id = ${client_id}
        and clock = ${known_clock} and generation >= ${history.generation} returning channel_id
    ), logged as (
      insert into document_updates (channel_id, epoch, seq, clock, turn_id, update, events)
      select channel_id, ${epoch}::integer, ${known + 1}::bigint, ${clock}::bigint, ${turn_id}::uuid,
        ${bytes}::bytea, ${events}::text::jsonb from appended
    ), inserted as (
      insert into cards (channel_id, id, position, key, status, blocks, created_at, updated_at)
      select channel_id, ${card.id}::uuid, ${card.position}::bigint, ${card.key ?? null}::text, ${card.status}::text,
        ${JSON.stringify(card.blocks)}::text::jsonb, ${card.created_at}::timestamptz, ${card.updated_at}::timestamptz
      from appended
    ), spent as (
      insert into daily_usage (user_id, day, cards)
      select ${spent.user_id}::uuid, ${spent.day}::date, 1 from appended
      on conflict (user_id, day) do update set cards = daily_usage.cards + 1
        where ${limit}::integer is null or daily_usage.cards < ${limit}::integer
      returning cards
    )
    select (select cards from spent) as cards,
      case when database_identity() is distinct from ${history.identity} then refuse('history')
        when not exists (select from appended) then refuse('append')
        when not exists (select from spent) then refuse('over_quota') end`
  return [{ ...spent, cards: row?.cards ?? 0 }]
}
