// Pages that left a document because it was too large.
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { oldestLivePage } from '../model/pages.ts'
import { withOldestPages } from './oldest-pages.ts'
import { cardOf, turnOf } from './sample.ts'

/** A log of two turns: the first one writes so many bytes, in the second one pages leave. */
function logWith(bytes: number) {
  const doc = new Y.Doc()
  const updates: string[] = []
  doc.on('update', (update: Uint8Array) => void updates.push(Buffer.from(update).toString('base64')))
  doc.getMap('channel').set('filling', 'x'.repeat(bytes))
  doc.getMap('channel').set('oldest_page', 3)
  return updates.map((update, i) => ({ ...turnOf(i + 1, 'card.inserted', cardOf('a', 'one')), update }))
}

test('the log of a document that was too large tells which pages have left', () => {
  const turns = withOldestPages(logWith(5_000_000))
  expect(turns.map(({ oldest_page }) => oldest_page)).toEqual([0, 3])
})

test('in any other document, only the number of cards decides', () => {
  const turns = withOldestPages(logWith(1_000))
  expect(turns.map(({ oldest_page }) => oldest_page)).toEqual([undefined, undefined])
})

test('a page leaves when a sixth one begins, or when the log says so', () => {
  expect(oldestLivePage({ next_position: 321 })).toBe(1)
  expect(oldestLivePage({ next_position: 321, left: 3 })).toBe(3)
})
