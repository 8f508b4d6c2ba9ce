// The topmost cards that are kept where reading them waits for nothing.
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { PlacedCard } from '../../shared/card.ts'
import type { FirstCards } from '../../shared/first-cards.ts'
import { dropLastLook, keepLastLook, readLastLook } from '../../web/data/channel/last-look.ts'

const kept = new Map<string, string>()
let room = true

beforeEach(() => {
  kept.clear()
  room = true
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (!room) throw new DOMException('no room', 'QuotaExceededError')
      kept.set(key, value)
    },
    removeItem: (key: string) => kept.delete(key),
  })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const card = (id: string, content = ''): PlacedCard => ({
  id,
  channel_id: 'one',
  status: 'default',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  position: 0,
  blocks: [{ id: 'text', type: 'text', content, size: 'md', bold: false }],
})

const firstCards = (...pages: PlacedCard[][]): FirstCards => ({
  head: { name: 'One', icon: '📡', description: null, mode: 'view', actions: [] },
  pages: pages.map((cards, i) => ({ page: pages.length - i, cards })),
})

const ids = (look: FirstCards | undefined) =>
  look?.pages.map(({ page, cards }) => [page, cards.map(({ id }) => id)])

test('the topmost three, over the pages that they are on', () => {
  keepLastLook('one', firstCards([card('f'), card('e')], [card('d'), card('c'), card('b')]))
  expect(ids(readLastLook('one'))).toEqual([
    [2, ['f', 'e']],
    [1, ['d']],
  ])
  keepLastLook('one', firstCards([card('f'), card('e'), card('d'), card('c')], [card('b')]))
  expect(ids(readLastLook('one'))).toEqual([[2, ['f', 'e', 'd']]])
})

test('of the channel that was kept last, and of no other', () => {
  keepLastLook('one', firstCards([card('a')]))
  keepLastLook('two', firstCards([card('b')]))
  expect(readLastLook('one')).toBeUndefined()
  expect(ids(readLastLook('two'))).toEqual([[1, ['b']]])
})

test('where the new ones do not fit, the old ones are not shown in their place', () => {
  keepLastLook('one', firstCards([card('old')]))
  keepLastLook('one', firstCards([card('large', 'x'.repeat(200_000))]))
  expect(readLastLook('one')).toBeUndefined()
  keepLastLook('one', firstCards([card('old')]))
  room = false
  keepLastLook('one', firstCards([card('new')]))
  expect(readLastLook('one')).toBeUndefined()
})

test('it is dropped with the channels that are', () => {
  keepLastLook('one', firstCards([card('a')]))
  dropLastLook(new Set(['two']))
  expect(readLastLook('one')).toBeDefined()
  dropLastLook(new Set(['two', 'one']))
  expect(readLastLook('one')).toBeUndefined()
  dropLastLook(new Set(['one']))
  keepLastLook('one', firstCards([card('a')]))
  dropLastLook()
  expect(kept.size).toBe(0)
})
