// The topmost cards, saved in localStorage.
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { PlacedCard } from '../../shared/card.ts'
import type { FirstCards } from '../../shared/first-cards.ts'
import {
  dropPage,
  dropTopCards,
  readTopCards,
  savePage,
  saveTopCards,
} from '../../web/data/local-copy/top-cards.ts'

const storage = new Map<string, string>()
let hasRoom = true

beforeEach(() => {
  storage.clear()
  hasRoom = true
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (!hasRoom) throw new DOMException('no room', 'QuotaExceededError')
      storage.set(key, value)
    },
    removeItem: (key: string) => storage.delete(key),
  })
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('innerWidth', 390)
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

const ids = (first: FirstCards | undefined) =>
  first?.pages.map(({ page, cards }) => [page, cards.map(({ id }) => id)])

test('the topmost three cards are saved, across pages', () => {
  saveTopCards('one', firstCards([card('f'), card('e')], [card('d'), card('c'), card('b')]))
  expect(ids(readTopCards('one'))).toEqual([
    [2, ['f', 'e']],
    [1, ['d']],
  ])
  saveTopCards('one', firstCards([card('f'), card('e'), card('d'), card('c')], [card('b')]))
  expect(ids(readTopCards('one'))).toEqual([[2, ['f', 'e', 'd']]])
})

test('only the cards of the last saved channel are kept', () => {
  saveTopCards('one', firstCards([card('a')]))
  saveTopCards('two', firstCards([card('b')]))
  expect(readTopCards('one')).toBeUndefined()
  expect(ids(readTopCards('two'))).toEqual([[1, ['b']]])
})

test('cards that do not fit still replace the old ones', () => {
  saveTopCards('one', firstCards([card('old')]))
  saveTopCards('one', firstCards([card('large', 'x'.repeat(200_000))]))
  expect(readTopCards('one')).toBeUndefined()
  saveTopCards('one', firstCards([card('old')]))
  hasRoom = false
  saveTopCards('one', firstCards([card('new')]))
  expect(readTopCards('one')).toBeUndefined()
})

test('the cards are dropped with their channel', () => {
  saveTopCards('one', firstCards([card('a')]))
  dropTopCards(new Set(['two']))
  expect(readTopCards('one')).toBeDefined()
  dropTopCards(new Set(['two', 'one']))
  expect(readTopCards('one')).toBeUndefined()
  dropTopCards(new Set(['one']))
  saveTopCards('one', firstCards([card('a')]))
  dropTopCards()
  expect(storage.size).toBe(0)
})

test("the page is dropped with its channel's cards, or alone", () => {
  const saved = () => storage.get('last-page')
  saveTopCards('one', firstCards([card('a')]))
  savePage('one', '<main>')
  expect(saved()).toContain('<main>')
  dropPage('two')
  expect(saved()).toBeDefined()
  dropPage('one')
  expect(saved()).toBeUndefined()
  expect(readTopCards('one')).toBeDefined()
  savePage('one', '<main>')
  savePage('two', 'x'.repeat(200_000))
  expect(saved()).toBeUndefined()
  savePage('one', '<main>')
  dropTopCards(new Set(['one']))
  expect(storage.size).toBe(0)
})
