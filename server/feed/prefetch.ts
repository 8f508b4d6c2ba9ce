// What a turn needs of the database before it begins: the cards outside the live document that its writes name,
// and the archived pages that changed within the hour.
import type { PlacedCard } from '../../shared/card.ts'
import { findCard, pageOf } from '../../shared/channel-doc.ts'
import type { Sql } from '../database/connect.ts'
import type { LiveDocument } from './live-document.ts'
import { type CardRow, cardOfRow } from './log.ts'
import type { Prefetched, Write } from './turn.ts'

export async function prefetch(sql: Sql, live: LiveDocument, writes: Write[]): Promise<Prefetched> {
  const keys: string[] = []
  const ids: string[] = []
  for (const write of writes) {
    if (write.kind === 'upsert') keys.push(write.key)
    else if (write.kind === 'patch' || write.kind === 'delete') {
      if ('key' in write.ref) keys.push(write.ref.key)
      else if (!findCard(live.doc, write.ref.id)) ids.push(write.ref.id)
    }
  }
  if (keys.length === 0 && ids.length === 0) return { cards: [], keys: new Map(), touched: null }
  const rows = await sql<CardRow[]>`
    select id, channel_id, status, blocks, created_at, updated_at, key, position from cards
    where channel_id = ${live.channel_id} and (id = any(${ids}::uuid[]) or key = any(${keys}::text[]))`
  const cards = rows.map(cardOfRow)
  const touched = await sql<{ page: number; version: number }[]>`
    select page, version from page_versions
    where channel_id = ${live.channel_id} and updated_at > now() - interval '1 hour'`
  return {
    cards,
    keys: new Map(cards.flatMap(({ id, key }) => (key === undefined ? [] : [[key, id]]))),
    touched: new Map(touched.map(({ page, version }) => [page, version])),
  }
}

/** True where a row has a card that the live document should have: another instance has written since. */
export function isBehind(live: LiveDocument, cards: PlacedCard[]): boolean {
  return cards.some(({ id, position }) => !live.isArchived(pageOf(position)) && !findCard(live.doc, id))
}
