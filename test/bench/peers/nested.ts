// The peers' document: a Y.Array of cards, everything in it nested Y.Map and Y.Array, as the peers'
// documentation shows it. Works with any version of Yjs, which is a parameter.
import type * as Yjs from 'yjs'
import type { Card } from '../../../shared/card.ts'
import type { BlockPatch } from './app.ts'

type Types = Pick<typeof Yjs, 'Map' | 'Array'>

function nest(Y: Types, value: unknown): unknown {
  if (Array.isArray(value)) return Y.Array.from(value.map(item => nest(Y, item)))
  if (value === null || typeof value !== 'object') return value
  return new Y.Map(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, nest(Y, item)]])),
  )
}

export function pushCard(Y: Types, doc: Yjs.Doc, { channel_id: _, ...card }: Card): void {
  doc.getArray('cards').push([nest(Y, card)])
}

/** Sets the fields of a block. Searches from the end, where the card usually is. */
export function patchCard(doc: Yjs.Doc, cardId: string, patches: BlockPatch[]): void {
  const cards = doc.getArray<Yjs.Map<unknown>>('cards')
  for (let i = cards.length - 1; i >= 0; i--) {
    const card = cards.get(i)
    if (card.get('id') !== cardId) continue
    const blocks = card.get('blocks') as Yjs.Array<Yjs.Map<unknown>>
    for (const { id, patch } of patches) {
      const block = blocks.toArray().find(candidate => candidate.get('id') === id)
      for (const [key, value] of Object.entries(patch)) block?.set(key, value)
    }
    return
  }
}
