// Reads cards from their table: a channel's newest or older cards, a single card, an archived page.
import type { PlacedCard } from '../../shared/card.ts'
import { decisionAt, isQuestionBlock, withAbandon } from '../../shared/decision-rules.ts'
import { LIST_MAX_BYTES, PAGE_SIZE } from '../../shared/limits.ts'
import type { AnySql, Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { readCards, selectCards, selectNewest } from '../feed/log/card-rows.ts'
import type { CardRef } from '../feed/turn/mutation.ts'

/** The newest cards, newest first. `before`: only cards with a lower position. */
export async function listCards(sql: Sql, channel_id: string, limit: number, before: number | null) {
  const { cards, more } = await selectNewest(
    sql,
    channel_id,
    sql`position < ${before ?? Number.MAX_SAFE_INTEGER}`,
    {
      limit,
      max_bytes: LIST_MAX_BYTES,
    },
  )
  return { cards, next: more ? (cards.at(-1)?.position ?? null) : null }
}

export async function getCard(sql: Sql, channel_id: string, ref: CardRef): Promise<PlacedCard> {
  const isCard = 'id' in ref ? sql`id = ${ref.id}` : sql`key = ${ref.key}`
  const [card] = await selectCards(sql, sql`channel_id = ${channel_id} and ${isCard}`)
  if (!card) throw notFound('Card')
  return card
}

export async function readArchivedPage(sql: Sql, channel_id: string, page: number) {
  return sql.begin('isolation level repeatable read read only', async tx => ({
    version: await archivedPageVersion(tx, channel_id, page),
    cards: await readCards(tx, channel_id, page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
  }))
}

/** The seq of the last change after the page was archived; 0 if it hasn't changed since. */
export async function archivedPageVersion(sql: AnySql, channel_id: string, page: number) {
  const [changed] = await sql<{ version: number }[]>`
    select version from page_versions where channel_id = ${channel_id} and page = ${page}`
  return changed?.version ?? 0
}

/** Its questions count as expired from their deadline on, even before that is written. */
export function cardAt(card: PlacedCard, now: number): PlacedCard {
  if (!card.blocks.some(isQuestionBlock)) return card
  const blocks = card.blocks.map(block =>
    isQuestionBlock(block) ? { ...block, decision: withAbandon(decisionAt(block.decision, now)) } : block,
  )
  return { ...card, blocks }
}
