// Which blocks the client takes for the same, compared with what the service makes of them.
import { expect, test } from 'vitest'
import { isStoredAs } from '../../client/reuse.ts'
import { createCardBody } from '../../shared/card.ts'
import { everyBlock } from '../support/scene.ts'

const BARE = [
  { type: 'text', content: 'x' },
  { type: 'badge', label: 'x' },
  { type: 'kv', rows: [{ key: 'a', value: 'b' }] },
  { type: 'button', buttons: [{ id: 'a', label: 'x', confirm: null }] },
  { type: 'image', url: 'https://example.com/x.png', alt: null },
  { type: 'divider' },
  { type: 'input', label: 'x', hint: null },
  { type: 'select', label: 'x', options: ['a', { value: 'b', label: 'B' }], value: null },
  { type: 'multiselect', options: ['a'] },
  { type: 'toggle', label: 'x' },
]
const stored = (blocks: object[]) => createCardBody.parse({ blocks }).blocks
const types = (blocks: { type: string }[]) => [...new Set(blocks.map(({ type }) => type))].sort()

test.each([...BARE, ...everyBlock])('a block is stored as it was sent, with defaults: %j', block => {
  expect(isStoredAs([block], stored([block]))).toBe(true)
})

test('every block type is compared', () => {
  expect(types(BARE)).toEqual(types(everyBlock))
})

test.each(
  BARE.flatMap(block =>
    everyBlock
      .filter(({ type }) => type === block.type && type !== 'divider')
      .map(other => [block, other] as const),
  ),
)('%j is not stored as %j', (block, other) => {
  expect(isStoredAs([block], stored([other]))).toBe(false)
  expect(isStoredAs([other], stored([block]))).toBe(false)
})

test('the order and the number of blocks count', () => {
  const [first = {}, second = {}] = BARE
  expect(isStoredAs([first, second], stored([second, first]))).toBe(false)
  expect(isStoredAs([first], stored([first, second]))).toBe(false)
  expect(isStoredAs([first, second], stored([first]))).toBe(false)
})
