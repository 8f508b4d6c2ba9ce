// A document above its byte limit archives its older pages with its next turn, however the turn is written.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { EncodedDocument } from '../../server/feed/document/encoded-document.ts'
import type { Mutation } from '../../server/feed/turn/mutation.ts'
import { oldestPageOf, touchedOf } from '../../shared/channel-doc.ts'
import { CARD_MAX_BYTES, LIVE_MAX_BYTES, PAGE_SIZE } from '../../shared/limits.ts'
import { blocksOf } from '../support/large-cards.ts'
import { cardsOf } from '../support/viewer.ts'
import { CHANNEL, ChannelModel, CLIENT } from './channel-model.ts'

const insert = (bytes: number): Extract<Mutation, { kind: 'insert' }> => ({
  kind: 'insert',
  id: randomUUID(),
  status: 'default',
  blocks: blocksOf(bytes),
})
const many = (count: number, bytes: number) => Array.from({ length: count }, () => insert(bytes))
const setStatus = (id: string): Mutation => ({ kind: 'patch', ref: { id }, body: { status: 'success' } })
const head: Mutation = { kind: 'head', change: () => ({ name: 'Renamed' }) }

let model: ChannelModel
let viewer: Y.Doc
let applied: number

beforeEach(() => {
  model = new ChannelModel()
  viewer = new Y.Doc()
  applied = 0
})

const oldest = () => oldestPageOf(viewer)

/** A live viewer, a new one and the rows have the same cards. */
function expectAgreement(): void {
  for (const update of model.updates(applied)) Y.applyUpdate(viewer, update)
  applied = model.log.length
  const fresh = new Y.Doc()
  Y.applyUpdate(fresh, model.live.encode())
  for (const doc of [viewer, fresh]) {
    // The matchers of vitest would take seconds to compare megabytes.
    expect(isDeepStrictEqual(cardsOf(doc, CHANNEL), model.liveRows())).toBe(true)
    expect(oldestPageOf(doc)).toBe(model.live.oldest_page)
    expect([...(touchedOf(doc) ?? [])]).toEqual([...model.versions].map(([page, seq]) => [`${page}`, seq]))
  }
  expect(fresh.store.pendingStructs).toBeNull()
}

/** Two pages of 5 MB each, and one card of a third page. */
function fill(): string[] {
  const cards = many(2 * PAGE_SIZE + 1, 80_000)
  for (let i = 0; i < cards.length; i += 8) model.turn(cards.slice(i, i + 8))
  expectAgreement()
  return cards.map(({ id }) => id)
}

test('large cards leave the newest page in the document, and little more', () => {
  fill()
  for (let i = 0; i < 10; i++) {
    model.turn(many(8, CARD_MAX_BYTES))
    expectAgreement()
  }
  // 81 cards: the page that is 17 cards old stays, although it takes 4 MB alone.
  expect(oldest()).toBe(3)
  expect(model.liveRows()).toHaveLength(17)
  model.turn(many(40, 1_000))
  model.turn(many(8, 1_000))
  expectAgreement()
  expect(oldest()).toBe(3)
  model.turn(many(1, 1_000))
  expectAgreement()
  expect(oldest()).toBe(4)
  expect(model.live.encode().length).toBeLessThan(20_000)
})

describe('a document at its limit', () => {
  /** Pages of 1.3 MB: the limit is passed within the fourth. */
  function fillToLimit(): string[] {
    const ids: string[] = []
    while (model.live.oldestThatFits() === null) {
      const cards = many(4, 20_000)
      model.turn(cards)
      ids.push(...cards.map(({ id }) => id))
    }
    expectAgreement()
    expect(oldest()).toBe(0)
    expect(model.live.memory).toBeGreaterThan(LIVE_MAX_BYTES)
    return ids
  }

  test.each([
    ['new cards', () => [insert(100)]],
    ['a change of the head', () => [head]],
    ['a changed card of a page that stays', (ids: string[]) => [setStatus(ids.at(-1) ?? '')]],
    [
      'new and deleted cards',
      (ids: string[]) => [insert(100), { kind: 'delete', ref: { id: ids.at(-1) ?? '' } }],
    ],
  ] as [string, (ids: string[]) => Mutation[]][])(
    'the next turn archives pages, even with %s',
    (_, mutations) => {
      model.turn(mutations(fillToLimit()))
      expectAgreement()
      expect(oldest()).toBeGreaterThan(0)
      expect(model.versions.size).toBe(0)
      expect(model.live.encode().length).toBeLessThan(LIVE_MAX_BYTES / 2 + PAGE_SIZE * 20_000)
    },
  )

  test.each(['patch', 'delete'] as const)('a turn with a %s in a page that leaves lists the page', kind => {
    const [id = ''] = fillToLimit()
    model.turn([kind === 'patch' ? setStatus(id) : { kind, ref: { id } }])
    expectAgreement()
    expect(oldest()).toBeGreaterThan(0)
    expect(model.versions.has(0)).toBe(true)
  })

  test('a turn that changes nothing archives nothing', () => {
    fillToLimit()
    const before = model.log.length
    model.turn([setStatus(randomUUID())])
    expect(model.log).toHaveLength(before)
  })

  test('another instance reads the document without keeping what was archived', () => {
    fillToLimit()
    model.turn([insert(100)])
    const other = new EncodedDocument(CLIENT, model.updates())
    expect(other.stale).toBe(false)
    expect(other.bytes).toBeLessThan(LIVE_MAX_BYTES / 2 + PAGE_SIZE * 20_000)
    expect(Buffer.from(other.encode()).equals(model.live.encode())).toBe(true)
  })
})

test('what was overwritten does not push cards out of the document', () => {
  const cards = many(PAGE_SIZE + 1, 1_000)
  model.turn(cards)
  const [first] = cards
  for (let i = 0; i < 100; i++) {
    const rows = [{ key: `${i}`, value: 'x'.repeat(9_900) }]
    const body = { blocks: [{ id: 'kv', patch: { rows: Array(8).fill(rows[0]) } }] }
    model.turn([{ kind: 'patch', ref: { id: first?.id ?? '' }, body }])
  }
  expectAgreement()
  expect(oldest()).toBe(0)
})
