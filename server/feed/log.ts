// The log of a channel's document in PostgreSQL: reading it, beginning it, beginning it anew.
// Appending is commit.ts's; snapshots of large documents are snapshot-worker.js's.
import { randomInt, randomUUID } from 'node:crypto'
import type { PlacedCard } from '../../shared/card.ts'
import type { ChannelHead } from '../../shared/channel.ts'
import { oldestLivePage, pageOf } from '../../shared/channel-doc.ts'
import { PAGE_SIZE } from '../../shared/limits.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import type { Settled } from './history.ts'
import { firstUpdate } from './live-document.ts'

/** Where a document stands. `clock` is its Yjs clock after turn `seq`. */
export type DocumentHead = {
  epoch: number
  client_id: number
  generation: number
  seq: number
  clock: number
  next_position: number
  card_count: number
  /** While in the future, turns are logged with their events. */
  events_until: string | null
}

/** A document as stored: `updates` are the snapshot (if any) and the tail, oldest first. */
export type StoredDocument = DocumentHead & {
  updates: Uint8Array[]
  snapshot_seq: number
  snapshot_bytes: number
}

/** Where a document's log ends. */
export type LogPlace = Pick<DocumentHead, 'epoch' | 'seq' | 'clock'>

export type LoggedUpdate = { seq: number; clock: number; update: Uint8Array }

/** The log reaches back this far for viewers and listeners who return. */
export const KEEP_SECONDS = 600

/** More entries than are appended between two snapshots. */
const PRUNED_MAX = 2_000
const SHORT_TAIL = 64
/** So often may a snapshot overtake the reading of a document before the log itself is to blame. */
const READ_ATTEMPTS = 10

/** Client ids are random and below 2^32: larger ones upset other Yjs implementations. */
const newClientId = () => randomInt(1, 2 ** 32 - 1)

export async function readHead(sql: Sql, channel_id: string): Promise<DocumentHead | null> {
  const [head] = await sql<DocumentHead[]>`
    select epoch, client_id, generation, seq, clock, next_position, card_count, events_until
    from documents where channel_id = ${channel_id}`
  return head ?? null
}

/** Where these documents stand; those that are gone are left out. */
export function readPlaces(sql: Sql, channel_ids: string[]): Promise<({ channel_id: string } & LogPlace)[]> {
  return sql<({ channel_id: string } & LogPlace)[]>`
    select channel_id, epoch, seq, clock from documents where channel_id = any(${channel_ids}::uuid[])`
}

/** Reads the document whole, or null where the channel has none (any more). */
export async function readDocument(sql: Sql, channel_id: string): Promise<StoredDocument | null> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    const [stored] = await sql<(DocumentHead & { snapshot_seq: number | null; state: Uint8Array | null })[]>`
      select d.epoch, d.client_id, d.generation, d.seq, d.clock, d.next_position, d.card_count, d.events_until,
        s.seq as snapshot_seq, s.state
      from documents d
      left join document_snapshots s on s.channel_id = d.channel_id and s.epoch = d.epoch
      where d.channel_id = ${channel_id}`
    if (!stored) return null
    const { state, snapshot_seq: from, ...head } = stored
    const snapshot_seq = from ?? 0
    const tail = await sql<{ update: Uint8Array }[]>`
      select update from document_updates
      where channel_id = ${channel_id} and epoch = ${head.epoch} and seq > ${snapshot_seq} and seq <= ${head.seq}
      order by seq`
    const updates = tail.map(({ update }) => update)
    // A newer snapshot may have let go of a tail that the first query still counted on.
    const first = from === null ? await firstSeq(sql, channel_id, head.epoch) : snapshot_seq + 1
    if (updates.length !== head.seq - first + 1) continue
    if (state) updates.unshift(state)
    return { ...head, updates, snapshot_seq, snapshot_bytes: state?.length ?? 0 }
  }
  throw new Error(`the log of channel ${channel_id} has a hole`)
}

async function firstSeq(sql: Sql, channel_id: string, epoch: number): Promise<number> {
  const [row] = await sql<{ first: number }[]>`
    select min(seq) as first from document_updates where channel_id = ${channel_id} and epoch = ${epoch}`
  return row?.first ?? 1
}

/** What was appended after `seq`, up to `last`, oldest first. */
export function readTail(
  sql: Sql,
  channel_id: string,
  epoch: number,
  seq: number,
  last: number,
): Promise<LoggedUpdate[]> {
  return sql<LoggedUpdate[]>`
    select seq, clock, update from document_updates
    where channel_id = ${channel_id} and epoch = ${epoch} and seq > ${seq} and seq <= ${last} order by seq`
}

/**
 * What a viewer at `clock` lacks, oldest first; null if the log does not reach back to it, or if that is so long
 * (in turns, or in bytes) that the whole document serves better.
 */
export async function readTailFromClock(
  sql: Sql,
  channel_id: string,
  head: { epoch: number; seq: number },
  clock: number,
  max_bytes: number,
): Promise<Uint8Array[] | null> {
  // Of the turn that brought the viewer to `clock` only the place is read. Lengths are known without reading updates.
  const rows = await sql<{ clock: number; update: Uint8Array | null }[]>`
    select clock, case when clock > ${clock} then update end as update from (
      select seq, clock, update, sum(octet_length(update)) over (
        order by seq desc rows between unbounded preceding and 1 preceding
      ) as bytes_after
      from document_updates
      where channel_id = ${channel_id} and epoch = ${head.epoch} and clock >= ${clock} and seq <= ${head.seq}
        and seq > ${head.seq - SHORT_TAIL - 1}
    ) tail
    where coalesce(bytes_after, 0) <= ${max_bytes}
    order by seq`
  if (rows[0]?.clock !== clock) return null
  return rows.flatMap(({ update }) => update ?? [])
}

/**
 * Keeps the document as it was at `head`, and lets go of the log's oldest entries, which nobody comes back for.
 * `history`: the database that `head` was read from.
 */
export async function writeSnapshot(
  sql: Sql,
  channel_id: string,
  { epoch, client_id, seq, clock }: DocumentHead,
  state: Uint8Array,
  history: Settled,
): Promise<void> {
  // The lock keeps a deletion and a new epoch away, and lets appends pass. While one of the two is under way, no
  // snapshot is written: waiting for it would hold a connection.
  await sql`
    with document as (
      select from documents
      where channel_id = ${channel_id} and epoch = ${epoch} and client_id = ${client_id} and seq >= ${seq}
        and generation >= ${history.generation} and in_history(${history.identity}, ${history.generation})
      for key share skip locked
    )
    insert into document_snapshots as kept (channel_id, epoch, seq, clock, state)
    select ${channel_id}, ${epoch}, ${seq}, ${clock}, ${state} from document
    on conflict (channel_id) do update
      set epoch = excluded.epoch, seq = excluded.seq, clock = excluded.clock, state = excluded.state
      where kept.epoch <> excluded.epoch or kept.seq < excluded.seq`
  // Nothing leaves the log that no snapshot holds. Old epochs come first: seq goes on rising in a new one.
  await sql`
    delete from document_updates
    where channel_id = ${channel_id} and (epoch, seq) <= (${epoch}, least(${seq}, ${PRUNED_MAX} + (
        select seq from document_updates where channel_id = ${channel_id} order by epoch, seq limit 1)))
      and created_at < now() - ${KEEP_SECONDS} * interval '1 second' and exists (
        select from document_snapshots where channel_id = ${channel_id} and epoch = ${epoch} and seq >= ${seq})`
}

/** Begins a new channel's document: turn 1 holds its head. Belongs in the transaction that makes the channel. */
export async function beginDocument(tx: Transaction, channel_id: string, head: ChannelHead): Promise<void> {
  const client_id = newClientId()
  const { update, clock } = firstUpdate(channel_id, client_id, head, 0, [])
  await tx`
    insert into documents (channel_id, client_id, generation, seq, clock)
    select ${channel_id}, ${client_id}, generation, 1, ${clock} from database_generation`
  await tx`
    insert into document_updates (channel_id, epoch, seq, clock, turn_id, update)
    values (${channel_id}, 0, 1, ${clock}, ${randomUUID()}, ${update})`
}

/**
 * Begins a new epoch: the document made anew from its rows, under a new client id. Every viewer's state becomes a lost
 * timeline. The old epochs' entries stay for ten minutes: their turn ids settle commits of unknown outcome.
 * Does nothing if another instance has done it since `known`. False: the database isn't that of `history`.
 */
export function beginEpoch(
  sql: Sql,
  channel_id: string,
  known: { epoch: number },
  history: Settled,
): Promise<boolean> {
  return sql.begin(async tx => {
    const [head] = await tx<(DocumentHead & { in_history: boolean })[]>`
      select epoch, seq, next_position, in_history(${history.identity}, ${history.generation})
      from documents where channel_id = ${channel_id} for update`
    if (head && !head.in_history) return false
    if (head?.epoch !== known.epoch) return true
    const newest = pageOf(Math.max(0, head.next_position - 1))
    const [channel] = await tx<ChannelHead[]>`
      select name, description, icon, mode, (
        select coalesce(json_agg(json_build_object('id', id, 'label', label, 'style', style, 'position', position)
          order by position, number), '[]'::json) from header_actions where channel_id = c.id) as actions
      from channels c where id = ${channel_id}`
    if (!channel) return true
    const cards = await readCards(tx, channel_id, oldestLivePage(newest) * PAGE_SIZE, head.next_position)
    const client_id = newClientId()
    const { update, clock } = firstUpdate(channel_id, client_id, channel, newest, cards)
    await tx`
      delete from document_updates
      where channel_id = ${channel_id} and created_at < now() - ${KEEP_SECONDS} * interval '1 second'`
    await tx`delete from document_snapshots where channel_id = ${channel_id}`
    await tx`
      update documents set epoch = epoch + 1, seq = seq + 1, clock = ${clock}, client_id = ${client_id},
        generation = ${history.generation},
        prune_at = coalesce(prune_at, now() + ${KEEP_SECONDS} * interval '1 second'),
        card_count = (select count(*) from cards where channel_id = ${channel_id})
      where channel_id = ${channel_id}`
    await tx`
      insert into document_updates (channel_id, epoch, seq, clock, turn_id, update)
      values (${channel_id}, ${head.epoch + 1}, ${head.seq + 1}, ${clock}, ${randomUUID()}, ${update})`
    return true
  })
}

/** Cards with `from` <= position < `to`, oldest first. */
export async function readCards(
  sql: Sql | Transaction,
  channel_id: string,
  from: number,
  to: number,
): Promise<PlacedCard[]> {
  const rows = await sql<CardRow[]>`
    select id, channel_id, status, blocks, created_at, updated_at, key, position from cards
    where channel_id = ${channel_id} and position >= ${from} and position < ${to} order by position`
  return rows.map(cardOfRow)
}

export type CardRow = Omit<PlacedCard, 'key'> & { key: string | null }

/** A card without a key carries no `key`. */
export function cardOfRow({ key, ...card }: CardRow): PlacedCard {
  return key === null ? card : { ...card, key }
}

/** The channels whose log holds what was deleted more than ten minutes ago. */
export async function logsToPrune(sql: Sql): Promise<string[]> {
  const rows = await sql<{ channel_id: string }[]>`
    select channel_id from documents where prune_at < now() order by prune_at limit 100`
  return rows.map(({ channel_id }) => channel_id)
}
