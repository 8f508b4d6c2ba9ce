// Where a dragged row is dropped.
import { expect, test } from 'vitest'
import { dropIndex } from '../../web/ui/sortable.ts'

/** Rows of 40 px, and one of 120 at the end. */
const middles = [20, 60, 100, 200]

test.each([
  [0, 0, 0],
  [0, 40, 0],
  [0, 41, 1],
  [0, 81, 2],
  [0, 179, 2],
  [0, 181, 3],
  [0, -500, 0],
  [3, -99, 3],
  [3, -101, 2],
  [3, -181, 0],
  [2, 9_000, 3],
  [1, -41, 0],
])('row %i dragged by %i px is dropped at %i', (from, by, to) => {
  expect(dropIndex(middles, from, by)).toBe(to)
})
