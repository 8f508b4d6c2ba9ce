// Finds every write in the log of its channel. The log is the witness of the order, so no order has to be searched for.
import type { Card } from '../../../shared/card.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Finding } from './files.ts'
import { isAcknowledged, type Operation } from './operations.ts'

/** A write in the log. `order` rises through the log of the channel. */
export type Placed = {
  op: string
  card_id: string
  order: number
  turn: TappedTurn
  /** The card after the turn; null if it was deleted, or if later writes of the turn hide the write. */
  card: Card | null
}

/** A change of a card that is no operation on cards, such as a press. */
export type Touch = { card_id: string; order: number; turn: TappedTurn }

export type Located = { placed: Placed[]; touches: Touch[]; findings: Finding[] }

const PER_TURN = 1_000_000

type Shown = { content: string; rows: string[] }

/** `turns` and `operations` of one channel. */
export function locate(turns: TappedTurn[], operations: Operation[]): Located {
  const placed: Placed[] = []
  const touches: Touch[] = []
  const findings: Finding[] = []
  const cards = new Map<string, Shown>()
  const deletes = deletesOf(operations)

  for (const [i, turn] of turns.entries()) {
    let order = i * PER_TURN
    const place = (op: string, card_id: string, card: Card | null) => {
      order += 100
      placed.push({ op, card_id, order, turn, card })
    }
    for (const { type, data } of turn.events ?? []) {
      if (type !== 'card.deleted' && type !== 'card.inserted' && type !== 'card.updated') continue
      if (type === 'card.deleted') {
        cards.delete(data.id)
        place(deletes(data.id), data.id, null)
        continue
      }
      const shown = shownBy(data)
      const before = cards.get(data.id)
      cards.set(data.id, shown)
      const rewritten = before?.content !== shown.content
      if (rewritten) place(shown.content, data.id, data)
      const kept = rewritten ? 0 : before.rows.length
      if (!rewritten && before.rows.some((row, n) => row !== shown.rows[n])) {
        findings.push({ promise: 'P2', message: `${where(turn)}: card ${data.id} lost or reordered rows` })
        continue
      }
      const rows = shown.rows.slice(kept)
      for (const row of rows) place(row, data.id, data)
      order += 1
      if (!rewritten && rows.length === 0) touches.push({ card_id: data.id, order, turn })
    }
  }
  placed.push(...locateHidden(placed, operations))
  placed.sort((a, b) => a.order - b.order)
  return { placed, touches, findings }
}

export const where = ({ channel_id, epoch, seq }: TappedTurn) => `channel ${channel_id}, turn ${epoch}.${seq}`

/** The operation that wrote all blocks of a card. */
export const opOf = (card: Card): string => shownBy(card).content

function shownBy({ blocks }: Card): Shown {
  const shown: Shown = { content: '', rows: [] }
  for (const block of blocks) {
    if (block.type === 'text' && block.id === 'content') shown.content = block.content
    if (block.type === 'kv') shown.rows = block.rows.map(({ key }) => key)
  }
  return shown
}

/** A deletion names only its card: the acknowledged DELETE did it, or else the first that may have. */
function deletesOf(operations: Operation[]): (card_id: string) => string {
  const byCard = new Map<string, Operation>()
  for (const operation of operations) {
    const { request, answer } = operation
    if (request.kind !== 'delete' || (answer !== null && !isAcknowledged(operation))) continue
    const known = byCard.get(request.card_id)
    if (!known || (!isAcknowledged(known) && isAcknowledged(operation)))
      byCard.set(request.card_id, operation)
  }
  return card_id => byCard.get(card_id)?.request.op ?? `a deletion of ${card_id} that no client asked for`
}

/**
 * A turn shows each card once. So a later write of the same turn hides a PUT or PATCH that was replaced (the turn has
 * the time of its answer) or whose card was deleted (by a request that was under way at the same time).
 */
function locateHidden(placed: Placed[], operations: Operation[]): Placed[] {
  const visible = new Set(placed.map(({ op }) => op))
  const byOp = new Map(operations.map(operation => [operation.request.op, operation]))
  const byCard = new Map<string, Placed[]>()
  for (const one of placed) byCard.set(one.card_id, [...(byCard.get(one.card_id) ?? []), one])
  return operations.flatMap((operation, n) => {
    const { request, answer } = operation
    if (visible.has(request.op) || !isAcknowledged(operation)) return []
    if (request.kind !== 'put' && request.kind !== 'patch') return []
    const { id, updated_at } = fieldsOf(answer?.body)
    const cover = (byCard.get(id) ?? []).find(({ op, card }) => {
      if (card) return card.updated_at === updated_at && byOp.get(op)?.request.kind === 'put'
      const deletion = byOp.get(op)
      return deletion !== undefined && deletion.begin < operation.end && operation.begin < deletion.end
    })
    if (!cover) return []
    const order = cover.order - 50 + (n % 40)
    return [{ ...cover, op: request.op, order, card: null }]
  })
}

function fieldsOf(body: unknown): { id: string; updated_at: string } {
  if (typeof body !== 'object' || body === null) return { id: '', updated_at: '' }
  return {
    id: 'id' in body ? String(body.id) : '',
    updated_at:
      'updated_at' in body ? String(body.updated_at) : 'created_at' in body ? String(body.created_at) : '',
  }
}
