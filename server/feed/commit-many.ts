// The statement of a group commit: many turns, and all rows that go with them, as JSON that PostgreSQL unpacks.
import type { PlacedCard } from '../../shared/card.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { KEEP_SECONDS } from './log.ts'
import type { Attempt, KeptAnswer, Spent } from './turn-record.ts'

/** Returns what the days have used now that cards were counted against. Waits for each lock up to `lock_ms`; null: as the session does. */
export async function appendTurns(
  sql: Sql | Transaction,
  batch: Attempt[],
  limit: number | null,
  lock_ms: number | null,
): Promise<Spent[]> {
  const turns = batch.map(({ turn, turn_id }) => ({
    channel_id: turn.channel_id,
    epoch: turn.epoch,
    client_id: turn.client_id,
    known: turn.known,
    known_clock: turn.known_clock,
    identity: turn.history.identity,
    generation: turn.history.generation,
    clock: turn.clock,
    next_position: turn.next_position,
    card_count: turn.card_count,
    turn_id,
    events: turn.events,
    deletes: turn.deleted.length > 0,
    update: Buffer.from(turn.update.buffer, turn.update.byteOffset, turn.update.length).toString('base64'),
  }))
  const inserted = batch.flatMap(({ turn }) => turn.inserted)
  const changed = batch.flatMap(({ turn }) => turn.changed)
  const deleted = batch.flatMap(({ turn }) => turn.deleted.map(id => ({ channel_id: turn.channel_id, id })))
  const forgotten = batch.flatMap(({ turn }) =>
    turn.forgotten_paths.map(path => ({ user_id: turn.owner_id, path })),
  )
  const pages = batch.flatMap(({ turn }) =>
    turn.pages.map(page => ({ channel_id: turn.channel_id, page, version: turn.known + 1 })),
  )
  const spent = sumSpent(batch)
  const answers = batch.flatMap(({ turn }) => turn.answers).sort(byPathAndKey)
  // See "Lock order" in connect.ts.
  turns.sort((a, b) => (a.channel_id < b.channel_id ? -1 : 1))

  const [row] = await sql<{ spent?: Spent[] }[]>`
    with turn as (
      select t.* from json_to_recordset(${JSON.stringify(turns)}::text::json) as t(
        channel_id uuid, epoch integer, client_id bigint, known bigint, known_clock bigint,
        identity text, generation integer, clock bigint, next_position bigint,
        card_count integer, turn_id uuid, update text, events jsonb, deletes boolean)
        ${lock_ms === null ? sql`` : sql`, set_config('lock_timeout', ${String(lock_ms)}, true)`}
    ), locked as (
      select d.channel_id from documents d join turn t
        on d.channel_id = t.channel_id and d.epoch = t.epoch and d.seq = t.known
        and d.client_id = t.client_id and d.clock = t.known_clock and d.generation >= t.generation
      order by d.channel_id for update of d
    ), appended as (
      update documents d set seq = t.known + 1, clock = t.clock,
        next_position = t.next_position, card_count = t.card_count,
        prune_at = case when t.deletes then coalesce(d.prune_at, now() + ${KEEP_SECONDS} * interval '1 second')
          else d.prune_at end
      from turn t join locked using (channel_id) where d.channel_id = t.channel_id
      returning d.channel_id
    ), logged as (
      insert into document_updates (channel_id, epoch, seq, clock, turn_id, update, events)
      select channel_id, epoch, known + 1, clock, turn_id, decode(update, 'base64'), events from turn
    )
    ${inserted.length > 0 ? sql`, ${insertCards(sql, inserted)}` : sql``}
    ${changed.length > 0 ? sql`, ${updateCards(sql, changed)}` : sql``}
    ${deleted.length > 0 ? sql`, ${deleteCards(sql, deleted)}, ${forgetAnswers(sql, forgotten)}` : sql``}
    ${pages.length > 0 ? sql`, ${raisePages(sql, pages)}` : sql``}
    ${spent.length > 0 ? sql`, ${spendQuota(sql, spent, limit)}` : sql``}
    ${answers.length > 0 ? sql`, ${keepAnswers(sql, answers)}` : sql``}
    select case when exists (select from turn where identity is distinct from database_identity()) then refuse('history')
      when (select count(*) from appended) < ${turns.length} then refuse('append') end
    ${deleted.length > 0 ? sql`, (select count(*) from deleted), (select count(*) from forgotten)` : sql``}
    ${answers.length > 0 ? sql`, case when (select count(*) from kept) < ${answers.length} then refuse('key_taken') end` : sql``}
    ${
      // The columns are computed from left to right: days are locked last, and for the shortest time.
      spent.length > 0
        ? sql`, case when (select count(*) from spent) < ${spent.length} then refuse('over_quota') end,
      (select json_agg(spent) from spent) as spent`
        : sql``
    }`
  return row?.spent ?? []
}

function insertCards(sql: Sql | Transaction, cards: PlacedCard[]) {
  return sql`inserted as (
    insert into cards (channel_id, id, position, key, status, blocks, created_at, updated_at)
    select channel_id, id, position, key, status, blocks, created_at, updated_at
    from json_to_recordset(${JSON.stringify(cards)}::text::json) as c(
      channel_id uuid, id uuid, position bigint, key text, status text, blocks jsonb,
      created_at timestamptz, updated_at timestamptz))`
}

function updateCards(sql: Sql | Transaction, cards: PlacedCard[]) {
  return sql`changed as (
    update cards set status = c.status, blocks = c.blocks, updated_at = c.updated_at
    from json_to_recordset(${JSON.stringify(cards)}::text::json) as c(
      channel_id uuid, id uuid, status text, blocks jsonb, updated_at timestamptz)
    where cards.channel_id = c.channel_id and cards.id = c.id)`
}

function deleteCards(sql: Sql | Transaction, cards: { channel_id: string; id: string }[]) {
  return sql`deleted as (
    delete from cards using json_to_recordset(${JSON.stringify(cards)}::text::json) as c(channel_id uuid, id uuid)
    where cards.channel_id = c.channel_id and cards.id = c.id returning 1)`
}

/** What was answered about a card that is deleted goes with it. */
function forgetAnswers(sql: Sql | Transaction, paths: { user_id: string; path: string }[]) {
  return sql`forgotten as (
    delete from idempotency_keys i using json_to_recordset(${JSON.stringify(paths)}::text::json) as p(
      user_id uuid, path text)
    where i.user_id = p.user_id and i.method in ('PATCH', 'PUT') and i.path = p.path
    returning 1)`
}

function raisePages(sql: Sql | Transaction, pages: { channel_id: string; page: number; version: number }[]) {
  return sql`raised as (
    insert into page_versions (channel_id, page, version)
    select * from json_to_recordset(${JSON.stringify(pages)}::text::json) as p(
      channel_id uuid, page integer, version bigint)
    on conflict (channel_id, page) do update set version = excluded.version, updated_at = now())`
}

function spendQuota(sql: Sql | Transaction, spent: Spent[], limit: number | null) {
  return sql`spent as (
    insert into daily_usage (user_id, day, cards)
    select * from json_to_recordset(${JSON.stringify(spent)}::text::json) as s(
      user_id uuid, day date, cards integer)
    on conflict (user_id, day) do update set cards = daily_usage.cards + excluded.cards
    where ${limit}::integer is null or daily_usage.cards + excluded.cards <= ${limit}::integer
    returning user_id, day, cards)`
}

function keepAnswers(sql: Sql | Transaction, answers: KeptAnswer[]) {
  return sql`kept as (
    insert into idempotency_keys (user_id, method, path, key, body_hash, status, response)
    select user_id, method, path, key, decode(body_hash, 'hex'), status, response
    from json_to_recordset(${JSON.stringify(answers)}::text::json) as a(
      user_id uuid, method text, path text, key text, body_hash text, status integer, response text)
    on conflict (user_id, method, path, key) do update
      set body_hash = excluded.body_hash, status = excluded.status, response = excluded.response, created_at = now()
      where idempotency_keys.created_at < now() - interval '24 hours'
    returning key)`
}

function sumSpent(batch: Attempt[]): Spent[] {
  const sums = new Map<string, Spent>()
  for (const { turn } of batch) {
    if (!turn.spent) continue
    const name = `${turn.spent.user_id} ${turn.spent.day}`
    const sum = sums.get(name)
    sums.set(name, { ...turn.spent, cards: (sum?.cards ?? 0) + turn.spent.cards })
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function byPathAndKey(a: KeptAnswer, b: KeptAnswer): number {
  return a.path < b.path || (a.path === b.path && a.key < b.key) ? -1 : 1
}
