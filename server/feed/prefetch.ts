// Reads what a turn needs: archived cards that its mutations name, and the archived pages that changed within the hour.
import type { PlacedCard } from '../../shared/card.ts'
import { findCard, pageOf } from '../../shared/channel-doc.ts'
import type { Sql } from '../database/connect.ts'
import { selectCards } from './card-rows.ts'
import type { LiveDocument } from './live-document.ts'
import type { Prefetched } from './make-turn.ts'
import type { Mutation } from './mutation.ts'
import { positionsWithReceipts, readReceiptSetting } from './receipt-rows.ts'

export async function prefetch(sql: Sql, live: LiveDocument, mutations: Mutation[]): Promise<Prefetched> {
  const keys: string[] = []
  const ids: string[] = []
  const known = (id: string | null) => {
    if (id !== null && !findCard(live.doc, id)) ids.push(id)
  }
  for (const mutation of mutations) {
    if (mutation.kind === 'upsert') keys.push(mutation.key)
    else if (mutation.kind === 'press') known(mutation.card_id)
    else if (mutation.kind === 'forget_receipts') for (const id of mutation.card_ids) known(id)
    else if (mutation.kind === 'patch' || mutation.kind === 'delete') {
      if ('key' in mutation.ref) keys.push(mutation.ref.key)
      else known(mutation.ref.id)
    }
  }
  const setting = mutations.some(concernsReceipts) ? await readReceiptSetting(sql, live.channel_id) : null
  const positions = setting && mutations.some(mayHideReceipts) ? await positionsWithReceipts(sql, live.channel_id) : []
  const receipts = setting && { ...setting, pages: [...new Set(positions.map(pageOf))] }
  if (keys.length === 0 && ids.length === 0 && positions.length === 0)
    return { cards: [], keys: new Map(), touched: null, receipts }
  const cards = await selectCards(
    sql,
    sql`channel_id = ${live.channel_id} and (id = any(${ids}::uuid[]) or key = any(${keys}::text[]))`,
    { with_acts: true },
  )
  const touched = await sql<{ page: number; version: number }[]>`
    select page, version from page_versions
    where channel_id = ${live.channel_id} and updated_at > now() - interval '1 hour'`
  return {
    cards,
    keys: new Map(cards.flatMap(({ id, key }) => (key === undefined ? [] : [[key, id]]))),
    touched: new Map(touched.map(({ page, version }) => [page, version])),
    receipts,
  }
}

const mayHideReceipts = (mutation: Mutation) =>
  mutation.kind === 'hide_receipts' || (mutation.kind === 'head' && mutation.receipts !== undefined)
const concernsReceipts = (mutation: Mutation) =>
  mayHideReceipts(mutation) || (mutation.kind === 'press' && mutation.by !== null)


/** True if the live document lacks one of these cards on its live pages: another instance wrote it since. */
export function isBehind(live: LiveDocument, cards: PlacedCard[]): boolean {
  return cards.some(({ id, position }) => !live.isArchived(pageOf(position)) && !findCard(live.doc, id))
}
