// Begins a channel's document, and begins it anew in a new epoch.
import { randomInt, randomUUID } from 'node:crypto'
import type { PlacedCard } from '../../../shared/card.ts'
import type { ChannelHead } from '../../../shared/channel.ts'
import { oldestLivePage, pageOf } from '../../../shared/channel-doc.ts'
import { LIVE_MAX_BYTES, PAGE_SIZE } from '../../../shared/limits.ts'
import type { HeaderReceipts } from '../../../shared/receipt.ts'
import type { Sql, Transaction } from '../../database/connect.ts'
import { LiveDocument } from '../document/live-document.ts'
import { readCards } from './card-rows.ts'
import type { HistoryIdentity } from './history.ts'
import type { LogHead } from './log.ts'
import { readHeaderReceipts } from './receipt-rows.ts'
import { KEEP_SECONDS } from './snapshot-store.js'

/** Turn 1 of a new channel contains its head. Call this in the transaction that creates the channel. */
export async function beginDocument(tx: Transaction, channel_id: string, head: ChannelHead): Promise<void> {
  const client_id = newClientId()
  const { update, clock } = firstUpdate(channel_id, client_id, head)
  await tx`
    insert into documents (channel_id, client_id, generation, seq, clock)
    select ${channel_id}, ${client_id}, generation, 1, ${clock} from database_generation`
  await tx`
    insert into document_updates (channel_id, epoch, seq, clock, turn_id, update)
    values (${channel_id}, 0, 1, ${clock}, ${randomUUID()}, ${update})`
}

/**
 * Rebuilds the document from its rows under a new client id, unless another instance has begun an epoch since `known`.
 * Returns false if the database is not `history`'s.
 */
export function beginEpoch(
  sql: Sql,
  channel_id: string,
  known: { epoch: number },
  history: HistoryIdentity,
): Promise<boolean> {
  return sql.begin(async tx => {
    const [log_head] = await tx<(LogHead & { in_history: boolean })[]>`
      select epoch, seq, next_position, in_history(${history.identity}, ${history.generation})
      from documents where channel_id = ${channel_id} for update`
    if (log_head && !log_head.in_history) return false
    if (log_head?.epoch !== known.epoch) return true
    const newest = pageOf(Math.max(0, log_head.next_position - 1))
    const oldest = await oldestThatFits(tx, channel_id, newest)
    const [channel] = await tx<ChannelHead[]>`
      select name, description, icon, mode, (
        select coalesce(json_agg(json_build_object('id', id, 'label', label, 'style', style, 'position', position)
          order by position, number), '[]'::json) from header_actions where channel_id = c.id) as actions
      from channels c where id = ${channel_id}`
    if (!channel) return true
    const receipts = await readHeaderReceipts(tx, channel_id)
    const cards = await readCards(tx, channel_id, oldest * PAGE_SIZE, log_head.next_position)
    const client_id = newClientId()
    const { update, clock } = firstUpdate(channel_id, client_id, channel, { oldest, newest }, cards, receipts)
    // Entries of old epochs stay for a while, because their turn ids settle commits of unknown outcome.
    await tx`
      delete from document_updates
      where channel_id = ${channel_id} and created_at < now() - ${KEEP_SECONDS} * interval '1 second'`
    await tx`delete from document_snapshots where channel_id = ${channel_id}`
    await tx`
      update documents set epoch = epoch + 1, seq = seq + 1, clock = ${clock}, client_id = ${client_id},
        generation = ${history.generation}, prune_at = coalesce(prune_at, now() + ${KEEP_SECONDS} * interval '1 second'),
        card_count = (select count(*) from cards where channel_id = ${channel_id})
      where channel_id = ${channel_id}`
    await tx`
      insert into document_updates (channel_id, epoch, seq, clock, turn_id, update)
      values (${channel_id}, ${log_head.epoch + 1}, ${log_head.seq + 1}, ${clock}, ${randomUUID()}, ${update})`
    return true
  })
}

/** Client ids are random and below 2^32, because other Yjs implementations can't read larger ones. */
const newClientId = () => randomInt(1, 2 ** 32 - 1)

/** The oldest of the newest pages that fit into half of LIVE_MAX_BYTES. The newest page counts as fitting. */
async function oldestThatFits(tx: Transaction, channel_id: string, newest: number): Promise<number> {
  const sizes = await tx<{ page: number; bytes: number }[]>`
    select (position / ${PAGE_SIZE})::integer as page, sum(octet_length(blocks::text))::integer as bytes from cards
    where channel_id = ${channel_id} and position >= ${oldestLivePage(newest) * PAGE_SIZE} group by 1 order by 1 desc`
  let left = LIVE_MAX_BYTES / 2
  for (const { page, bytes } of sizes) {
    left -= bytes
    if (left < 0) return Math.min(page + 1, newest)
  }
  return oldestLivePage(newest)
}

/** `cards`: those of the live pages, in any order. */
export function firstUpdate(
  channel_id: string,
  client_id: number,
  head: ChannelHead,
  pages = { oldest: 0, newest: 0 },
  cards: PlacedCard[] = [],
  receipts: HeaderReceipts = {},
): { update: Uint8Array; clock: number } {
  const document = new LiveDocument(channel_id, client_id, [])
  const update = document.transact(() => document.begin(head, receipts, pages, cards))
  if (!update) throw new Error('a first update is never empty')
  return { update, clock: document.clock }
}
