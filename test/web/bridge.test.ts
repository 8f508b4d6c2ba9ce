// The bridge: changes of the document appear on the screen, and nothing else renders.
import { createEffect, createRoot } from 'solid-js'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { Block } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { patchCard } from '../../shared/card-patch.ts'
import { channelOf, type PageMap, pagesOf } from '../../shared/channel-doc.ts'
import { makeBridge } from '../../web/data/channel/bridge.ts'
import { createFeedStore } from '../../web/data/channel/feed-store.ts'
import { findCard, insertCard, patchCardMap, writeHead } from '../support/yjs-cards.ts'

const channel_id = 'channel'
const head = { name: 'Name', description: null, icon: '📡', mode: 'view', actions: [] } as const

function buildCard(position: number, blocks: Block[] = [buildText(`Card ${position}`)]): PlacedCard {
  const created_at = '2026-01-31T12:00:00.000Z'
  return {
    id: `card-${position}`,
    channel_id,
    position,
    status: 'default',
    blocks,
    created_at,
    updated_at: created_at,
  }
}

function buildText(content: string): Block {
  return { type: 'text', id: 'text', content, size: 'md', bold: false }
}

function buildKv(values: string[]): Block {
  return { type: 'kv', id: 'kv', rows: values.map((value, i) => ({ key: `Key ${i}`, value })) }
}

/** A server's document with one page, and a viewer's that follows it, update by update. */
function buildFeed(cards: PlacedCard[]) {
  const server = new Y.Doc()
  const viewer = new Y.Doc()
  const writePage = (page: number, list: PlacedCard[]) => {
    const map: PageMap = new Y.Map()
    pagesOf(server).set(String(page), map)
    for (const card of list) insertCard(map, card)
  }
  server.transact(() => {
    writeHead(server, { ...head, actions: [] })
    writePage(0, cards)
  })
  Y.applyUpdate(viewer, Y.encodeStateAsUpdate(server))
  server.on('update', update => Y.applyUpdate(viewer, update))

  const store = createFeedStore()
  const archived: number[] = []
  const gone: string[] = []
  makeBridge(viewer, {
    channel_id,
    store,
    onArchived: page => archived.push(page),
    onCardDeleted: id => gone.push(id),
    onChannel: () => undefined,
  })
  const page = (number: number) => {
    const found = pagesOf(server).get(String(number))
    if (!found) throw new Error(`no page ${number}`)
    return found
  }
  return { server, viewer, store, archived, gone, writePage, page }
}

/** Runs `read` and counts how often what it read changed. */
function countRuns(read: () => unknown): { runs: () => number } {
  let runs = -1
  createRoot(() =>
    createEffect(() => {
      read()
      runs++
    }),
  )
  return { runs: () => runs }
}

function patch(server: Y.Doc, card: PlacedCard, body: Parameters<typeof patchCard>[1]): void {
  const map = findCard(server, card.id)
  if (!map) throw new Error(`no card ${card.id}`)
  const patched = patchCard(card, body, '2026-01-31T12:01:00.000Z')
  server.transact(() => patchCardMap(map, patched.card, patched.changes))
}

describe('the list of cards', () => {
  test('the list has the cards newest first', () => {
    const { store } = buildFeed([buildCard(1), buildCard(3), buildCard(2)])
    expect(store.ids()).toEqual(['card-3', 'card-2', 'card-1'])
    expect(store.state.head?.name).toBe('Name')
  })

  test('the list gets new cards in order, and reports deleted ones', () => {
    const { server, store, gone, page } = buildFeed([buildCard(1), buildCard(2)])
    server.transact(() => insertCard(page(0), buildCard(3)))
    expect(store.ids()).toEqual(['card-3', 'card-2', 'card-1'])
    page(0).delete('card-2')
    expect(store.ids()).toEqual(['card-3', 'card-1'])
    expect(store.state.cards['card-2']).toBeUndefined()
    expect(gone).toEqual(['card-2'])
  })

  test('a document without a head leaves the screen as it is', () => {
    const { store } = buildFeed([buildCard(1)])
    const fresh = new Y.Doc()
    const ignore = () => undefined
    makeBridge(fresh, { channel_id, store, onArchived: ignore, onCardDeleted: ignore, onChannel: ignore })
    expect(store.ids()).toEqual(['card-1'])
    const server = new Y.Doc()
    server.transact(() => {
      writeHead(server, { ...head, actions: [] })
      const map: PageMap = new Y.Map()
      pagesOf(server).set('0', map)
      insertCard(map, buildCard(7))
    })
    Y.applyUpdate(fresh, Y.encodeStateAsUpdate(server))
    expect(store.ids()).toEqual(['card-7'])
  })

  test('a page below the oldest live one goes to the archive, and its cards stay', () => {
    const { server, store, archived, writePage } = buildFeed([buildCard(1)])
    server.transact(() => {
      writePage(1, [buildCard(64)])
      pagesOf(server).delete('0')
      channelOf(server).set('oldest_page', 1)
    })
    expect(archived).toEqual([0])
    expect(store.ids()).toEqual(['card-64', 'card-1'])
  })
})

describe('rendering', () => {
  test('a PATCH of one row renders no other row, block or card', () => {
    const card = buildCard(1, [buildText('Text'), buildKv(['a', 'b', 'c'])])
    const other = buildCard(2)
    const { server, store } = buildFeed([card, other])
    const rows = () => {
      const block = store.state.cards['card-1']?.blocks[1]
      return block?.type === 'kv' ? block.rows : []
    }
    const first = countRuns(() => rows()[0]?.value)
    const second = countRuns(() => rows()[1]?.value)
    const list = countRuns(() => [...rows()])
    const blocks = countRuns(() => [...(store.state.cards['card-1']?.blocks ?? [])])
    const otherCard = countRuns(() => JSON.stringify(store.state.cards['card-2']))
    const ids = countRuns(store.ids)

    const rowsOf = (values: string[]) => values.map((value, i) => ({ key: `Key ${i}`, value }))
    patch(server, card, { blocks: [{ id: 'kv', patch: { rows: rowsOf(['a', 'B', 'c']) } }] })

    expect(rows()[1]?.value).toBe('B')
    expect(second.runs()).toBe(1)
    for (const untouched of [first, list, blocks, otherCard, ids]) expect(untouched.runs()).toBe(0)
  })

  test('an appended row does not render earlier rows', () => {
    const card = buildCard(1, [buildKv(['a'])])
    const { server, store } = buildFeed([card])
    const rows = () => {
      const block = store.state.cards['card-1']?.blocks[0]
      return block?.type === 'kv' ? block.rows : []
    }
    const first = rows()[0]
    const value = countRuns(() => rows()[0]?.value)
    patch(server, card, { blocks: [{ id: 'kv', patch: { append_rows: [{ key: 'New', value: 'z' }] } }] })
    expect(rows().map(row => row.value)).toEqual(['a', 'z'])
    expect(rows()[0]).toBe(first)
    expect(value.runs()).toBe(0)
  })

  test('replacing a page by equal cards renders nothing', () => {
    const cards = [buildCard(1, [buildText('Text'), buildKv(['a', 'b'])]), buildCard(2)]
    const { server, store, writePage } = buildFeed(cards)
    const everything = countRuns(() => JSON.stringify([store.ids(), store.state]))
    server.transact(() => writePage(0, cards))
    expect(everything.runs()).toBe(0)
    expect(store.ids()).toEqual(['card-2', 'card-1'])
  })

  test('the store never changes the document', () => {
    const card = buildCard(1, [buildText('Before'), buildKv(['a'])])
    const { server, viewer, store } = buildFeed([card])
    const rows = [{ key: 'Key 0', value: 'A' }]
    const before = findCard(viewer, 'card-1')?.toJSON()
    store.setCard({ ...card, blocks: [buildText('Written over'), { type: 'kv', id: 'kv', rows }] })
    expect(findCard(viewer, 'card-1')?.toJSON()).toEqual(before)
    expect(findCard(server, 'card-1')?.toJSON()).toEqual(before)
  })
})
