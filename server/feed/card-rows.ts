// Rows of the `cards` table: their columns, and how a row becomes a card.
import type { PendingQuery, Row } from 'postgres'
import type { PlacedCard } from '../../shared/card.ts'
import type { AnySql } from '../database/connect.ts'

/**
 * The cards that meet `condition`, which may end with `order by` and `limit`. A card without a key has no `key`. The rows
 * of a deleted channel may still be there.
 */
export async function selectCards(sql: AnySql, condition: PendingQuery<Row[]>): Promise<PlacedCard[]> {
  const rows = await sql<(Omit<PlacedCard, 'key'> & { key: string | null })[]>`
    select id, channel_id, status, blocks, created_at, updated_at, key, position from cards
    where exists (select from documents where channel_id = cards.channel_id) and ${condition}`
  return rows.map(({ key, ...card }) => (key === null ? card : { ...card, key }))
}

export function readCards(sql: AnySql, channel_id: string, from: number, to: number): Promise<PlacedCard[]> {
  const inRange = sql`channel_id = ${channel_id} and position >= ${from} and position < ${to}`
  return selectCards(sql, sql`${inRange} order by position`)
}
