// Reads what a turn needs: archived cards that its mutations name, the archived pages that changed within the hour, and the
// decisions that may change.
import type { PendingQuery, Row } from 'postgres'
import type { PlacedCard } from '../../../shared/card.ts'
import { pageOf } from '../../../shared/channel-doc.ts'
import { isJsonObject } from '../../../shared/json-object.ts'
import type { Sql } from '../../database/connect.ts'
import { type DecisionRecord, selectDecisions } from '../../decisions/rows.ts'
import type { Inquiry } from '../../decisions/rules.ts'
import type { LiveDocument } from '../document/live-document.ts'
import { selectCards } from '../log/card-rows.ts'
import { positionsWithReceipts, readReceiptSetting } from '../log/receipt-rows.ts'
import type { Mutation } from './mutation.ts'
import type { ReceiptRules } from './turn-receipts.ts'

export type Prefetched = {
  cards: PlacedCard[]
  keys: Map<string, string>
  /** Archived pages that changed within the hour, with their versions; null: not read. */
  touched: Map<number, number> | null
  /** Decisions of the cards that the mutations change, and those that wait with a key that they use. */
  decisions: DecisionRecord[]
  /** Null: no mutation shows or hides receipts. */
  receipts: ReceiptRules | null
}

/** What the mutations name. Cards that are live are in `live_ids`, all others in `ids`. */
type Named = {
  keys: string[]
  ids: string[]
  live_ids: string[]
  decision_ids: string[]
  /** Of questions, which may wait on another card. */
  question_keys: string[]
}

export async function prefetch(sql: Sql, live: LiveDocument, mutations: Mutation[]): Promise<Prefetched> {
  const named = namesIn(live, mutations)
  const receipts = await readReceiptRules(sql, live.channel_id, mutations)
  const cards = await readCards(sql, live, named)
  const decisions = await readDecisions(sql, live, named, cards)
  // A waiting question may hold a key that another one takes back. Its card tells whether it is still asked.
  const holders = decisions.flatMap(({ card_id, decision }) =>
    decision.state === 'waiting' && card_id !== null && !live.has(card_id) ? [card_id] : [],
  )
  const ids = holders.filter(card_id => !cards.some(({ id }) => id === card_id))
  return {
    cards: [...cards, ...(await readCards(sql, live, { ids, keys: [] }))],
    keys: new Map(cards.flatMap(({ id, key }) => (key === undefined ? [] : [[key, id]]))),
    touched: isAboutArchived(named, receipts) ? await readTouched(sql, live) : null,
    decisions,
    receipts,
  }
}

async function readCards(sql: Sql, { channel_id }: LiveDocument, { ids, keys }: Pick<Named, 'ids' | 'keys'>) {
  if (ids.length === 0 && keys.length === 0) return []
  const isNamed = sql`(id = any(${ids}::uuid[]) or key = any(${keys}::text[]))`
  return selectCards(sql, sql`channel_id = ${channel_id} and ${isNamed}`, { with_receipts: true })
}

const isAboutArchived = ({ ids, keys }: Named, receipts: ReceiptRules | null) =>
  ids.length > 0 || keys.length > 0 || (receipts?.pages ?? []).length > 0

async function readTouched(sql: Sql, { channel_id }: LiveDocument): Promise<Map<number, number>> {
  const touched = await sql<{ page: number; version: number }[]>`
    select page, version from page_versions
    where channel_id = ${channel_id} and updated_at > now() - interval '1 hour'`
  return new Map(touched.map(({ page, version }) => [page, version]))
}

async function readReceiptRules(sql: Sql, channel_id: string, mutations: Mutation[]) {
  const hides = mutations.some(({ kind }) => kind === 'hide_receipts') || mutations.some(setsReceipts)
  if (!hides && !mutations.some(mutation => mutation.kind === 'press' && mutation.by)) return null
  const setting = await readReceiptSetting(sql, channel_id)
  const positions = hides ? await positionsWithReceipts(sql, channel_id) : []
  return setting && { ...setting, pages: [...new Set(positions.map(pageOf))] }
}

const setsReceipts = (mutation: Mutation) => mutation.kind === 'head' && mutation.receipts !== undefined

function namesIn(live: LiveDocument, mutations: Mutation[]): Named {
  const named: Named = { keys: [], ids: [], live_ids: [], decision_ids: [], question_keys: [] }
  const card = (id: string) => (live.has(id) ? named.live_ids : named.ids).push(id)
  for (const mutation of mutations) {
    switch (mutation.kind) {
      case 'head':
      case 'hide_receipts':
        break
      case 'forget_receipts':
        named.ids.push(...mutation.card_ids.filter(id => !live.has(id)))
        break
      case 'insert':
      case 'upsert':
        if (mutation.kind === 'upsert') named.keys.push(mutation.key)
        if (mutation.inquiry) named.question_keys.push(...keysOf(mutation.inquiry))
        break
      case 'patch':
      case 'delete':
        if ('key' in mutation.ref) named.keys.push(mutation.ref.key)
        else card(mutation.ref.id)
        if (mutation.kind === 'patch' && mutation.inquiry)
          named.question_keys.push(...keysOf(mutation.inquiry))
        break
      case 'press':
      case 'end':
        if (mutation.card_id !== null) card(mutation.card_id)
        if (mutation.decision_id !== null) named.decision_ids.push(mutation.decision_id)
    }
  }
  return named
}

const keysOf = ({ questions }: Inquiry) => questions.flatMap(({ settings }) => settings.key ?? [])

/**
 * Decisions that the mutations name, and those on the cards that they name. A question that is asked again takes its key
 * back, so the decision that waits under that key is read too.
 */
async function readDecisions(
  sql: Sql,
  live: LiveDocument,
  { live_ids, decision_ids, question_keys }: Named,
  cards: PlacedCard[],
): Promise<DecisionRecord[]> {
  const shown = cards.flatMap(({ blocks }) => decisionsIn(blocks))
  for (const id of live_ids) shown.push(...decisionsIn(live.find(id)?.blocks ?? []))
  const ids = [...decision_ids, ...shown.map(({ id }) => id)]
  const keys = [...question_keys, ...shown.flatMap(({ freed_key }) => freed_key ?? [])]
  const select = (condition: PendingQuery<Row[]>) =>
    selectDecisions(sql, sql`channel_id = ${live.channel_id} and ${condition}`)
  return [
    ...(keys.length > 0 ? await select(sql`state = 'waiting' and key = any(${keys}::text[])`) : []),
    ...(ids.length > 0 ? await select(sql`id = any(${ids}::uuid[])`) : []),
  ]
}

/** The decisions of a card's blocks. `freed_key`: of an ended one. */
function decisionsIn(values: Iterable<unknown>): { id: string; freed_key: string | null }[] {
  const found: { id: string; freed_key: string | null }[] = []
  for (const value of values) {
    const decision = isJsonObject(value) ? value.decision : undefined
    if (!isJsonObject(decision) || typeof decision.id !== 'string') continue
    const { id, key, state } = decision
    found.push({ id, freed_key: state !== 'waiting' && typeof key === 'string' ? key : null })
  }
  return found
}

/** True if the live document lacks one of these cards on its live pages: another instance wrote it since. */
export function isBehind(live: LiveDocument, cards: PlacedCard[]): boolean {
  return cards.some(({ id, position }) => !live.isArchived(pageOf(position)) && !live.has(id))
}
