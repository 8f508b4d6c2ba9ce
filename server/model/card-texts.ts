// The title of each channel's newest card, for lists of channels. A card can be large, and reading many cards would
// occupy the database, so a title is read once for each version of a card.
import { BLOCK_DEFINITIONS } from '../../shared/block.ts'
import type { LastCard } from '../../shared/channel-summary.ts'
import type { AnySql, Sql } from '../database/connect.ts'
import type { Fragment } from './activity.ts'

/** As a query returns it: `version` changes whenever the card's row does. */
export type VersionedCard = Omit<LastCard, 'text'> & { version: string }
type Listed = { id: string; last_card: VersionedCard | null }
type WithText<T> = Omit<T, 'last_card'> & { last_card: LastCard | null }

const TEXT_MAX = 120
const KEPT_MAX = 20_000
const kept = new WeakMap<Sql, Map<string, string>>()

export const cardVersion = (sql: AnySql) => sql`concat_ws(' ', cards.xmin, cards.ctid, cards.updated_at)`

/** The title of the first block of the card that has one. */
const firstTitle = (sql: AnySql): Fragment => sql`(
  select left(shown.text, ${TEXT_MAX}) from json_array_elements(cards.blocks) with ordinality as b (block, place),
    lateral (select btrim(case block ->> 'type' ${titlesByType(sql)} end, E' \t\r\n') as text) shown
  where shown.text <> '' order by place limit 1)`

const titlesByType = (sql: AnySql): Fragment[] =>
  Object.entries(BLOCK_DEFINITIONS)
    .filter(([, { title }]) => title.length > 0)
    .map(([type, { title }]) => sql`when ${type} then concat_ws(': '${title.map(path => partOf(sql, path))})`)

const partOf = (sql: AnySql, path: string[]): Fragment => sql`, nullif(block #>> ${path}::text[], '')`

/** `id` of a channel is that of its newest card's channel. */
export async function withTexts<T extends Listed>(sql: Sql, channels: T[]): Promise<WithText<T>[]> {
  const texts = kept.get(sql) ?? new Map<string, string>()
  kept.set(sql, texts)
  const missing = channels.flatMap(({ id: channel_id, last_card }) =>
    last_card && !texts.has(keyOf(last_card)) ? [{ channel_id, id: last_card.id }] : [],
  )
  const read = new Map<string, string>()
  if (missing.length > 0) {
    const rows = await sql<{ id: string; version: string; text: string }[]>`
      select id, ${cardVersion(sql)} as version, coalesce(${firstTitle(sql)}, '') as text
      from json_to_recordset(${JSON.stringify(missing)}::text::json) as m(channel_id uuid, id uuid)
      join cards using (channel_id, id)`
    for (const row of rows) {
      read.set(row.id, row.text)
      texts.set(keyOf(row), row.text)
    }
  }
  const found = channels.map(({ last_card, ...channel }) => ({
    ...channel,
    // A card that was changed meanwhile has its new text. One that was deleted has none until its channel is read again.
    last_card: last_card && withText(last_card, texts.get(keyOf(last_card)) ?? read.get(last_card.id) ?? ''),
  }))
  for (const key of texts.keys()) {
    if (texts.size <= KEPT_MAX) break
    texts.delete(key)
  }
  return found
}

const keyOf = ({ id, version }: Pick<VersionedCard, 'id' | 'version'>) => `${id} ${version}`

const withText = ({ id, status, created_at }: VersionedCard, text: string): LastCard => ({
  id,
  status,
  text,
  created_at,
})
