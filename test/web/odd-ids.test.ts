// Automations name blocks as they like. Names that every object has must mean nothing special on the screen.
import { createRoot } from 'solid-js'
import { afterEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { PlacedCard } from '../../shared/card.ts'
import { type PageMap, pagesOf, readCard } from '../../shared/channel-doc.ts'
import type { CardReceipts } from '../../shared/receipt.ts'
import { makeBridge } from '../../web/data/channel/bridge.ts'
import { createFeedStore } from '../../web/data/channel/feed-store.ts'
import { safeKey } from '../../web/lib/safe-key.ts'
import { attributeOf } from '../../web/workspace/matching.ts'
import { findCard, insertCard, writeCardReceipts, writeHead } from '../support/yjs-cards.ts'

const NAMES = Object.getOwnPropertyNames(Object.prototype)
const inherited = Object.getOwnPropertyNames(Object.prototype).length

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(inherited)
})

const channel_id = 'channel'
const receiptsOf = (total: number, names = NAMES): CardReceipts =>
  Object.fromEntries(names.map(name => [name, { total, latest: [] }]))

function buildCard(): PlacedCard {
  const at = '2026-01-31T12:00:00.000Z'
  const blocks = NAMES.map(id => ({
    type: 'button' as const,
    id,
    buttons: [{ id, label: id, style: 'primary' as const, disabled: false }],
  }))
  return { id: 'card', channel_id, position: 0, status: 'default', blocks, created_at: at, updated_at: at }
}

function buildDocument(card: PlacedCard): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => {
    writeHead(doc, { name: 'Name', description: null, icon: '📡', mode: 'interactive', actions: [] })
    const page: PageMap = new Y.Map()
    pagesOf(doc).set('0', page)
    insertCard(page, card)
  })
  return doc
}

const receiptIn = ({ state }: ReturnType<typeof createFeedStore>, name: string) =>
  state.cards.card?.acts?.[safeKey(name)]?.total

describe('receipts of blocks with names that every object has', () => {
  test('a document without receipts has none', () => {
    const card = buildCard()
    const map = findCard(buildDocument(card), 'card')
    if (!map) throw new Error('the card is in the document')
    expect(readCard(map, channel_id).acts).toBeUndefined()
    const { size } = map
    writeCardReceipts(map, card.blocks, {})
    expect(map.size).toBe(size)
    writeCardReceipts(map, card.blocks, receiptsOf(1))
    // As text, because `toEqual` reads `constructor` for the type.
    expect(JSON.stringify(readCard(map, channel_id).acts)).toBe(JSON.stringify(receiptsOf(1)))
  })

  test.each(NAMES)('a receipt of %s appears on the screen at the press, and counts up', name => {
    const card = buildCard()
    const doc = buildDocument(card)
    createRoot(dispose => {
      const store = createFeedStore()
      const ignore = () => undefined
      const at = { channel_id, store, onArchived: ignore, onCardDeleted: ignore, onChannel: ignore }
      const endBridge = makeBridge(doc, at)
      for (const total of [1, 2]) {
        const map = findCard(doc, 'card')
        if (map) doc.transact(() => writeCardReceipts(map, card.blocks, receiptsOf(total, [name])))
      }
      expect(receiptIn(store, name)).toBe(2)
      for (const other of NAMES) if (other !== name) expect(receiptIn(store, other)).toBeUndefined()
      endBridge()
      dispose()
    })
  })

  test('a page over HTTP shows them too', () => {
    createRoot(dispose => {
      const store = createFeedStore()
      const pages = [undefined, receiptsOf(1), receiptsOf(2), undefined].map(acts =>
        JSON.parse(JSON.stringify({ ...buildCard(), acts })),
      )
      for (const card of pages.slice(0, 3)) store.setPage(0, [card])
      for (const name of NAMES) expect(receiptIn(store, name)).toBe(2)
      store.setPage(0, [pages[3]])
      for (const name of NAMES) expect(receiptIn(store, name)).toBeUndefined()
      dispose()
    })
  })
})

test('an attribute with such a name is one only where it is set', () => {
  for (const name of NAMES) {
    expect(attributeOf({}, name)).toBeUndefined()
    expect(attributeOf(Object.fromEntries([[name, 'x']]), name)).toBe('x')
  }
})
