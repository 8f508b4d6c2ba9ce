// Reading cards from their table: lists, single cards and archived pages.
import type { PlacedCard } from '../../shared/card.ts'
import { PAGE_SIZE } from '../../shared/limits.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { readCards, selectCards } from '../feed/card-rows.ts'
import type { CardRef } from '../feed/mutation.ts'
import { takeRows } from './cursor.ts'

/** Newest first, those before position `before` (null: from the newest). */
export async function listCards(
  sql: Sql,
  channel_id: string,
  limit: number,
  before: number | null,
): Promise<{ cards: PlacedCard[]; next: number | null }> {
  const found = await selectCards(
    sql,
    sql`channel_id = ${channel_id} and position < ${before ?? Number.MAX_SAFE_INTEGER}
    order by position desc limit ${limit + 1}`,
  )
  const { rows, next } = takeRows(found, limit, ({ position }) => position)
  return { cards: rows, next }
}

export async function getCard(sql: Sql, channel_id: string, ref: CardRef): Promise<PlacedCard> {
  const named = 'id' in ref ? sql`id = ${ref.id}` : sql`key = ${ref.key}`
  const [card] = await selectCards(sql, sql`channel_id = ${channel_id} and ${named}`)
  if (!card) throw notFound('Card')
  return card
}

export type ArchivedPage = { version: number; cards: PlacedCard[] }

/** An archived page, oldest card first. `version`: the seq of its last change since it was archived, otherwise 0. */
export async function readArchivedPage(sql: Sql, channel_id: string, page: number): Promise<ArchivedPage> {
  return sql.begin('isolation level repeatable read read only', async tx => {
    const [changed] = await tx<{ version: number }[]>`
      select version from page_versions where channel_id = ${channel_id} and page = ${page}`
    const cards = await readCards(tx, channel_id, page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
    return { version: changed?.version ?? 0, cards }
  })
}

/** The page's version alone, for clients that may have the page already. */
export async function archivedPageVersion(sql: Sql, channel_id: string, page: number): Promise<number> {
  const [changed] = await sql<{ version: number }[]>`
    select version from page_versions where channel_id = ${channel_id} and page = ${page}`
  return changed?.version ?? 0
}
