// A turn reads the archived cards that its mutations name. If these are large, some mutations wait for the next turn.
import type { Sql } from '../../database/connect.ts'
import type { LiveDocument } from '../document/live-document.ts'
import type { CardRef, Mutation } from './mutation.ts'
import type { PendingMutation } from './mutation-queue.ts'

/** So many cards are read without asking for their sizes, which takes a query. */
const FEW = 8
/** The cards of a turn may take so many bytes as JSON. The first one counts as fitting. */
const BYTES_MAX = 1024 * 1024

/** The first of the mutations, as many as a turn may have. */
export async function fittingMutations(
  sql: Sql,
  live: LiveDocument,
  batch: PendingMutation[],
): Promise<PendingMutation[]> {
  const refs = batch.map(({ request }) => archivedRef(live, request.mutation))
  const ids = refs.flatMap(ref => (ref && 'id' in ref ? [ref.id] : []))
  const keys = refs.flatMap(ref => (ref && 'key' in ref ? [ref.key] : []))
  if (ids.length + keys.length <= FEW) return batch
  const cards = await sql<{ id: string; key: string | null; bytes: number }[]>`
    select id, key, octet_length(blocks::text) as bytes from cards
    where channel_id = ${live.channel_id} and (id = any(${ids}::uuid[]) or key = any(${keys}::text[]))`
  const byId = new Map(cards.map(card => [card.id, card]))
  const byKey = new Map(cards.map(card => [card.key, card]))
  const read = new Set<object>()
  let bytes = 0
  for (const [i, ref] of refs.entries()) {
    const card = ref && ('id' in ref ? byId.get(ref.id) : byKey.get(ref.key))
    if (!card || read.has(card)) continue
    read.add(card)
    bytes += card.bytes
    if (bytes > BYTES_MAX && i > 0) return batch.slice(0, i)
  }
  return batch
}

/** The card that a mutation names, if it isn't in the live document. It may be, if it is named by its key. */
function archivedRef(live: LiveDocument, mutation: Mutation): CardRef | null {
  const ref = refOf(mutation)
  return ref && 'id' in ref && live.has(ref.id) ? null : ref
}

function refOf(mutation: Mutation): CardRef | null {
  switch (mutation.kind) {
    case 'patch':
    case 'delete':
      return mutation.ref
    case 'upsert':
      return { key: mutation.key }
    case 'press':
    case 'end':
      return mutation.card_id === null ? null : { id: mutation.card_id }
    default:
      return null
  }
}
