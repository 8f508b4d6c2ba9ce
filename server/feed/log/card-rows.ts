// Rows of the `cards` table: their columns, and how a row becomes a card.
import type { PendingQuery, Row } from 'postgres'
import type { PlacedCard } from '../../../shared/card.ts'
import type { CardReceipts } from '../../../shared/receipt.ts'
import type { AnySql } from '../../database/connect.ts'
import { selectUpTo } from '../../database/select-up-to.ts'
import { receiptsColumn } from './receipt-rows.ts'

/**
 * The cards that meet `condition`, which may end with `order by` and `limit`. A card without a key or receipts has no `key` or `acts`. The rows
 * of a deleted channel may still be there.
 */
export async function selectCards(
  sql: AnySql,
  condition: PendingQuery<Row[]>,
  { with_receipts = false } = {},
): Promise<PlacedCard[]> {
  const rows = await sql<CardRow[]>`
    select ${cardColumns(sql, with_receipts)} from cards
    where exists (select from documents where channel_id = cards.channel_id) and ${condition}`
  return rows.map(cardOf)
}

/**
 * At most `limit` cards of the channel that meet `condition`, newest first. The card that reaches `max_bytes` is the last.
 * `more`: others follow.
 */
export async function selectNewest(
  sql: AnySql,
  channel_id: string,
  condition: PendingQuery<Row[]>,
  { limit, max_bytes, with_receipts = false }: { limit: number; max_bytes: number; with_receipts?: boolean },
): Promise<{ cards: PlacedCard[]; more: boolean }> {
  const { rows, more } = await selectUpTo<CardRow>(
    sql,
    sql`
      select ${cardColumns(sql, with_receipts)} from cards
      where exists (select from documents where channel_id = cards.channel_id)
        and channel_id = ${channel_id} and ${condition}`,
    { bytes: sql`octet_length(blocks::text)`, order: sql`position desc`, limit, max_bytes },
  )
  return { cards: rows.map(cardOf), more }
}

const cardColumns = (sql: AnySql, with_receipts: boolean) => sql`
  id, channel_id, status, blocks, created_at, updated_at, key, position
  ${with_receipts ? sql`, ${receiptsColumn(sql)}` : sql``}`

type CardRow = Omit<PlacedCard, 'key' | 'acts'> & { key: string | null; acts?: CardReceipts | null }

const cardOf = ({ key, acts, ...card }: CardRow): PlacedCard => ({
  ...card,
  ...(key !== null && { key }),
  ...(acts && { acts }),
})

/** With their receipts, oldest first. */
export function readCards(sql: AnySql, channel_id: string, from: number, to: number): Promise<PlacedCard[]> {
  const inRange = sql`channel_id = ${channel_id} and position >= ${from} and position < ${to}`
  return selectCards(sql, sql`${inRange} order by position`, { with_receipts: true })
}
