// P5 and P6: what a workspace page shows.
import { expect, test } from 'vitest'
import type { Mark } from '../run.ts'
import { checkLive } from './live.ts'
import { CHANNEL, cardOf, promises, turnOf } from './sample.ts'

const S = 1_000_000
const END: Mark = { at: 60 * S, kind: 'phase', phase: 'end' }
/** A card more each second. */
const turns = [1, 2, 3].map(n => ({ ...turnOf(n, 'card.inserted', cardOf(`${n}`, `${n}`)), at: n * S }))
const check = (...shown: [at_s: number, count: number][]) =>
  promises(
    checkLive({
      turns,
      live: shown.map(([at, count]) => ({ at: at * S, instance: 0, counts: { [CHANNEL]: count } })),
      marks: [END],
      machine: [],
    }),
  )

test('a page that follows within seconds has no findings, even if it skips counts', () => {
  expect(check([1.1, 1], [2.1, 2], [3.1, 3])).toEqual([])
  expect(check([0.5, 0], [3.5, 3])).toEqual([])
})

test('P5 and P6: a page that goes back, invents a count, or lags', () => {
  expect(check([1.1, 1], [2.1, 2], [2.2, 1], [3.1, 3])).toEqual(['P5'])
  expect(check([1.1, 1], [2.1, 9], [3.1, 3])).toEqual(['P5'])
  expect(check([1.1, 1], [9, 3])).toEqual(['P6'])
  expect(check([1.1, 1], [2.1, 2])).toEqual(['P6'])
})
