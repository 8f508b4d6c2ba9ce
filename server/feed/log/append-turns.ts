// The SQL of a commit. A group commit writes many turns with all their rows, as JSON that PostgreSQL unpacks. The most
// frequent commit is one turn with one new card: without JSON, it takes a quarter less of the database.
import type { PlacedCard } from '../../../shared/card.ts'
import type { AnySql, Sql } from '../../database/connect.ts'
import { writeDecisions } from '../../decisions/rows.ts'
import { KEEP_SECONDS } from './snapshot-store.js'
import { forgetCard, forgetResponsesTo, insertResponses, type StoredResponse } from './stored-responses.ts'
import type { DailyLimits, Spent, Turn } from './turn.ts'

/** Appends all turns or none, and returns the daily usage. `lock_ms`: null means the session's lock_timeout. */
export async function appendTurns(sql: AnySql, batch: Turn[], limits: DailyLimits, lock_ms: number | null) {
  // Where each turn's update is among all updates, as PostgreSQL's `substring` counts.
  let first_byte = 1
  const firstBytes = batch.map(({ update }) => {
    const first = first_byte
    first_byte += update.length
    return first
  })
  const turns = batch.map((turn, i) => ({
    channel_id: turn.channel_id,
    epoch: turn.epoch,
    client_id: turn.client_id,
    known: turn.known,
    known_clock: turn.known_clock,
    ...turn.history,
    clock: turn.clock,
    next_position: turn.next_position,
    card_count: turn.card_count,
    turn_id: turn.turn_id,
    events: turn.events,
    deletes: turn.deleted.length > 0,
    first_byte: firstBytes[i],
    bytes: turn.update.length,
  }))
  const updates = Buffer.concat(batch.map(({ update }) => update)).toString('base64')
  const inserted = batch.flatMap(({ inserted }) => inserted)
  const changed = batch.flatMap(({ changed }) => changed)
  const decisions = batch.flatMap(({ decisions }) => decisions)
  const deleted = batch.flatMap(({ channel_id, deleted }) => deleted.map(id => ({ channel_id, id })))
  const deleted_paths = batch.flatMap(({ owner_id, channel_id, deleted_paths }) =>
    deleted_paths.map(path => ({ owner_id, channel_id, path })),
  )
  const pages = batch.flatMap(({ channel_id, pages, known }) =>
    pages.map(page => ({ channel_id, page, version: known + 1 })),
  )
  const spent = sumSpent(batch.map(({ spent }) => spent))
  const gone = new Set(deleted_paths.map(({ path }) => path))
  const responses = batch
    .flatMap(({ responses }) => responses)
    .map(response => (gone.has(response.path) ? forgetCard(response) : response))
    .sort(byPathAndKey)
  // See "Lock order" in connect.ts.
  turns.sort((a, b) => (a.channel_id < b.channel_id ? -1 : 1))

  const [row] = await sql<{ spent?: Spent[] }[]>`
    with turn as (
      select t.* from json_to_recordset(${JSON.stringify(turns)}::text::json) as t(
        channel_id uuid, epoch integer, client_id bigint, known bigint, known_clock bigint,
        identity text, generation integer, clock bigint, next_position bigint,
        card_count integer, turn_id uuid, first_byte integer, bytes integer, events jsonb, deletes boolean)
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
      select channel_id, epoch, known + 1, clock, turn_id,
        substring(updates.all_bytes from first_byte for bytes), events
      from turn, decode(${updates}, 'base64') as updates (all_bytes)
    )
    ${inserted.length > 0 ? sql`, ${insertCards(sql, inserted)}` : sql``}
    ${changed.length > 0 ? sql`, ${updateCards(sql, changed)}` : sql``}
    ${deleted.length > 0 ? sql`, ${deleteCards(sql, deleted)}, forgotten as (${forgetResponsesTo(sql, deleted_paths)})` : sql``}
    ${decisions.length > 0 ? sql`, ${writeDecisions(sql, decisions)}` : sql``}
    ${pages.length > 0 ? sql`, ${writePageVersions(sql, pages)}` : sql``}
    ${spent.length > 0 ? sql`, ${countUsage(sql, spent, limits)}` : sql``}
    ${responses.length > 0 ? sql`, stored as (${insertResponses(sql, responses)})` : sql``}
    select case when exists (select from turn where identity is distinct from database_identity()) then refuse('history')
      when (select count(*) from appended) < ${turns.length} then refuse('append') end
    ${deleted.length > 0 ? sql`, (select count(*) from deleted), (select count(*) from forgotten)` : sql``}
    ${responses.length > 0 ? sql`, case when (select count(*) from stored) < ${responses.length} then refuse('key_taken') end` : sql``}
    ${spent.length > 0 ? sql`, ${refuseOverQuota(sql, spent.length)}` : sql``}`
  return row?.spent ?? []
}

function insertCards(sql: AnySql, cards: PlacedCard[]) {
  return sql`inserted as (
    insert into cards (channel_id, id, position, key, status, blocks, created_at, updated_at)
    select channel_id, id, position, key, status, blocks, created_at, updated_at
    from json_to_recordset(${JSON.stringify(cards)}::text::json) as c(
      channel_id uuid, id uuid, position bigint, key text, status text, blocks json,
      created_at timestamptz, updated_at timestamptz))`
}

function updateCards(sql: AnySql, cards: PlacedCard[]) {
  return sql`changed as (
    update cards set status = c.status, blocks = c.blocks, updated_at = c.updated_at
    from json_to_recordset(${JSON.stringify(cards)}::text::json) as c(
      channel_id uuid, id uuid, status text, blocks json, updated_at timestamptz)
    where cards.channel_id = c.channel_id and cards.id = c.id)`
}

function deleteCards(sql: AnySql, cards: { channel_id: string; id: string }[]) {
  return sql`deleted as (
    delete from cards using json_to_recordset(${JSON.stringify(cards)}::text::json) as c(channel_id uuid, id uuid)
    where cards.channel_id = c.channel_id and cards.id = c.id returning 1)`
}

function writePageVersions(sql: AnySql, pages: { channel_id: string; page: number; version: number }[]) {
  return sql`versioned as (
    insert into page_versions (channel_id, page, version)
    select * from json_to_recordset(${JSON.stringify(pages)}::text::json) as p(
      channel_id uuid, page integer, version bigint)
    on conflict (channel_id, page) do update set version = excluded.version, updated_at = now())`
}

/** Counts what turns spend that were appended without it, and returns the daily usage. */
export async function countSpent(sql: AnySql, of_turns: Spent[], limits: DailyLimits): Promise<Spent[]> {
  const spent = sumSpent(of_turns)
  if (spent.length === 0) return []
  const [row] = await sql<{ spent?: Spent[] }[]>`
    with ${countUsage(sql, spent, limits)} select ${refuseOverQuota(sql, spent.length)}`
  return row?.spent ?? []
}

function countUsage(sql: AnySql, spent: Spent[], limits: DailyLimits) {
  return sql`spent as (
    insert into daily_usage (user_id, day, cards, bytes)
    select * from json_to_recordset(${JSON.stringify(spent)}::text::json) as s(
      user_id uuid, day date, cards integer, bytes bigint)
    where ${limits.bytes}::bigint is null or bytes <= ${limits.bytes}::bigint
    on conflict (user_id, day) do update
    set cards = daily_usage.cards + excluded.cards, bytes = daily_usage.bytes + excluded.bytes
    where (${limits.cards}::integer is null or excluded.cards = 0
        or daily_usage.cards + excluded.cards <= ${limits.cards}::integer)
      and (${limits.bytes}::bigint is null or daily_usage.bytes + excluded.bytes <= ${limits.bytes}::bigint)
    returning user_id, day, cards, bytes)`
}

/** Stands last: columns are computed from left to right, so daily usage is locked for the shortest time. */
function refuseOverQuota(sql: AnySql, counted: number) {
  return sql`case when (select count(*) from spent) < ${counted} then refuse('over_quota') end,
    (select json_agg(spent) from spent) as spent`
}

function sumSpent(of_turns: Spent[]): Spent[] {
  const sums = new Map<string, Spent>()
  for (const spent of of_turns) {
    if (spent.bytes === 0) continue
    const name = `${spent.user_id} ${spent.day}`
    const { cards = 0, bytes = 0 } = sums.get(name) ?? {}
    sums.set(name, { ...spent, cards: cards + spent.cards, bytes: bytes + spent.bytes })
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function byPathAndKey(a: StoredResponse, b: StoredResponse): number {
  return a.path < b.path || (a.path === b.path && a.key < b.key) ? -1 : 1
}

export function onlyCard(turn: Turn): { card: PlacedCard; spent: Spent } | null {
  const { inserted, changed, deleted, decisions, pages, responses, also, spent } = turn
  const [card] = inserted
  const others = deleted.length + decisions.length + pages.length + responses.length + also.length
  const rows = inserted.length + changed.length + others
  return card && rows === 1 ? { card, spent } : null
}

export async function appendCard(
  sql: Sql,
  turn: Turn,
  { card, spent }: { card: PlacedCard; spent: Spent },
  limits: DailyLimits,
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
        ${JSON.stringify(card.blocks)}::text::json, ${card.created_at}::timestamptz, ${card.updated_at}::timestamptz
      from appended
    ), spent as (
      insert into daily_usage (user_id, day, cards, bytes)
      select ${spent.user_id}::uuid, ${spent.day}::date, 1, ${spent.bytes}::bigint from appended
      where ${limits.bytes}::bigint is null or ${spent.bytes}::bigint <= ${limits.bytes}::bigint
      on conflict (user_id, day) do update set cards = daily_usage.cards + 1, bytes = daily_usage.bytes + excluded.bytes
        where (${limits.cards}::integer is null or daily_usage.cards < ${limits.cards}::integer)
          and (${limits.bytes}::bigint is null or daily_usage.bytes + excluded.bytes <= ${limits.bytes}::bigint)
      returning cards
    )
    select (select cards from spent) as cards,
      case when database_identity() is distinct from ${history.identity} then refuse('history')
        when not exists (select from appended) then refuse('append')
        when not exists (select from spent) then refuse('over_quota') end`
  return [{ ...spent, cards: row?.cards ?? 0 }]
}
