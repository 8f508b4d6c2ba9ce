// Rows of the tables `card_receipts` and `header_receipts`.
import type { Receipts, Visibility } from '../../../shared/channel.ts'
import type { CardReceipts, HeaderReceipts } from '../../../shared/receipt.ts'
import type { AnySql, Sql, Transaction } from '../../database/connect.ts'

/** What a turn changes. `cleared`: it removed all receipts of the channel. `header`: null if it stays. */
export type ReceiptChanges = {
  cleared: boolean
  cards: { card_id: string; receipts: CardReceipts }[]
  header: HeaderReceipts | null
}

/** Receipts that are removed are {}. */
export async function writeReceipts(
  tx: Transaction,
  channel_id: string,
  changes: ReceiptChanges,
): Promise<void> {
  const { cleared, cards, header } = changes
  const gone = cards.filter(({ receipts }) => isEmpty(receipts)).map(({ card_id }) => card_id)
  if (cleared || gone.length > 0)
    await tx`
      delete from card_receipts
      where channel_id = ${channel_id} and (${cleared} or card_id = any(${gone}::uuid[]))`
  const shown = cards.filter(({ receipts }) => !isEmpty(receipts))
  if (shown.length > 0) {
    const rows = shown.map(({ card_id, receipts }) => ({
      card_id,
      acts: receipts,
      oldest: oldestOf(receipts),
    }))
    await tx`
      insert into card_receipts (channel_id, card_id, acts, oldest)
      select ${channel_id}, card_id, acts, oldest
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(card_id uuid, acts json, oldest timestamptz)
      on conflict (channel_id, card_id) do update set acts = excluded.acts, oldest = excluded.oldest`
  }
  if (header && isEmpty(header)) await tx`delete from header_receipts where channel_id = ${channel_id}`
  else if (header)
    await tx`
      insert into header_receipts (channel_id, acts, oldest)
      values (${channel_id}, ${JSON.stringify(header)}::text::json, ${oldestOf(header)})
      on conflict (channel_id) do update set acts = excluded.acts, oldest = excluded.oldest`
}

const isEmpty = (receipts: CardReceipts | HeaderReceipts) => Object.keys(receipts).length === 0

function oldestOf(receipts: CardReceipts | HeaderReceipts): string | null {
  const lists: { latest: { timestamp: string }[] }[] = Object.values(receipts)
  return lists.flatMap(({ latest }) => latest.map(({ timestamp }) => timestamp)).sort()[0] ?? null
}

/** A column of the card `cards`. */
export const receiptsColumn = (sql: AnySql) => sql`
  (select acts from card_receipts r where r.channel_id = cards.channel_id and r.card_id = cards.id) as acts`

export async function readHeaderReceipts(sql: AnySql, channel_id: string): Promise<HeaderReceipts> {
  const [row] = await sql<{ acts: HeaderReceipts }[]>`
    select acts from header_receipts where channel_id = ${channel_id}`
  return row?.acts ?? {}
}

export type ReceiptSetting = { receipts: Receipts; visibility: Visibility }

export async function readReceiptSetting(sql: Sql, channel_id: string): Promise<ReceiptSetting | null> {
  const [setting] = await sql<ReceiptSetting[]>`
    select c.receipts, case when w.becoming_public_at is null then w.visibility else 'public' end as visibility
    from channels c join workspaces w on w.id = c.workspace_id where c.id = ${channel_id}`
  return setting ?? null
}

/** The positions of the channel's cards that have receipts. */
export async function positionsWithReceipts(sql: Sql, channel_id: string): Promise<number[]> {
  const rows = await sql<{ position: number }[]>`
    select c.position from card_receipts r join cards c on c.channel_id = r.channel_id and c.id = r.card_id
    where r.channel_id = ${channel_id}`
  return rows.map(({ position }) => position)
}
