// P5 and P6: what a workspace page shows.
import { expect, test } from 'vitest'
import type { Counted } from '../load/live.ts'
import type { Mark } from '../run.ts'
import type { Files } from './files.ts'
import { checkLive } from './live.ts'
import { CHANNEL, cardOf, filesOf, promises, turnOf } from './sample.ts'

const S = 1_000_000
const END: Mark = { at: 60 * S, kind: 'phase', phase: 'end' }
/** A card more each second. */
const turns = [1, 2, 3].map(n => ({ ...turnOf(n, 'card.inserted', cardOf(`${n}`, `${n}`)), at: n * S }))
const checkWith = (more: Partial<Files>, ...shown: [at_s: number, count: number | 'joins'][]) =>
  promises(
    checkLive({
      ...filesOf({ turns, marks: [END], ...more }),
      live: shown.map(
        ([at, count]): Counted => ({
          at: at * S,
          instance: 0,
          ...(count === 'joins' ? { joins: true, counts: {} } : { counts: { [CHANNEL]: count } }),
        }),
      ),
    }),
  )
const check = (...shown: Parameters<typeof checkWith>[1][]) => checkWith({}, ...shown)

test('a page that follows within seconds has no findings, even if it skips counts', () => {
  expect(check([1.1, 1], [2.1, 2], [3.1, 3])).toEqual([])
  expect(check([0.5, 0], [3.5, 3])).toEqual([])
})

test('P5 and P6: a page that goes back, invents a count, or lags, is a finding', () => {
  expect(check([1.1, 1], [2.1, 2], [2.2, 1], [3.1, 3])).toEqual(['P5'])
  expect(check([1.1, 1], [2.1, 9], [3.1, 3])).toEqual(['P5'])
  expect(check([1.1, 1], [9, 3])).toEqual(['P6'])
  expect(check([1.1, 1], [2.1, 2])).toEqual(['P6'])
})

test('a page that joins another instance goes back to what that one showed, but not for longer than a page may lag', () => {
  expect(check([2.1, 2], [3.1, 3], [3.2, 'joins'], [3.3, 2], [4.2, 3])).toEqual([])
  expect(check([2.1, 2], [3.1, 3], [5.5, 'joins'], [5.6, 1], [5.7, 3])).toEqual(['P5'])
  expect(check([3.1, 3], [3.2, 'joins'], [3.3, 2])).toEqual(['P6'])
})

test('P6: on a slow machine, a page may lag, but not behind an event stream of its instance', () => {
  const machine = Array.from({ length: 60 }, (_, i) => ({ at: i * S, slow: 5 }))
  const stream = { stream: 0, channel_id: CHANNEL, event: 'card.inserted', data: null }
  const heard = [1, 2, 3].map(n => ({ ...stream, at: (n + 2) * S, id: `0.${n}.-1.0` }))
  const lagging = (at_s: number): [number, number] => [at_s, 3]
  expect(checkWith({ machine }, [1.1, 1], lagging(14))).toEqual([])
  expect(checkWith({ machine, heard }, [1.1, 1], lagging(7))).toEqual([])
  expect(checkWith({ machine, heard }, [1.1, 1], lagging(9.5))).toEqual(['P6'])
})
