// The pure parts of a workspace's layouts: arrow keys, live previews, and the combined connection status.
import { expect, test } from 'vitest'
import { chooseLive } from '../../web/layouts/visible-tiles.ts'
import type { Link } from '../../web/lib/reconnect.ts'
import { stepTo } from '../../web/ui/arrow-keys.ts'
import { combineLinks } from '../../web/workspace/combine-links.ts'

const upDown: [string, string] = ['ArrowDown', 'ArrowUp']

test.each([
  ['ArrowDown', 0, 3, 1],
  ['ArrowUp', 1, 3, 0],
  ['ArrowUp', 0, 3, undefined],
  ['ArrowDown', 2, 3, undefined],
  ['ArrowDown', -1, 3, 0],
  ['Home', 2, 3, 0],
  ['End', 0, 3, 2],
  ['ArrowRight', 0, 3, undefined],
  ['a', 0, 3, undefined],
  ['ArrowDown', -1, 0, undefined],
  ['End', -1, 0, undefined],
])('%s at %i of %i moves to %s', (key, at, count, expected) => {
  expect(stepTo(key, at, count, upDown)).toBe(expected)
})

test('visible previews are live, in order and up to the maximum', () => {
  const order = ['a', 'b', 'c', 'd', 'e']
  expect([...chooseLive(order, new Set(['e', 'c', 'b']), 2)]).toEqual(['b', 'c'])
  expect([...chooseLive(order, new Set(['gone', 'd']), 2)]).toEqual(['d'])
  expect([...chooseLive(order, new Set(), 2)]).toEqual([])
})

const states: Link['state'][] = ['connecting', 'live', 'reconnecting', 'offline', 'refused']
const link = (state: Link['state']): Link => (state === 'refused' ? { state, refusal: 'missing' } : { state })

test('the worse of two connections is reported', () => {
  const combined = states.map(page => states.map(channel => combineLinks(link(page), link(channel)).state))
  expect(combined).toEqual([
    ['connecting', 'connecting', 'reconnecting', 'offline', 'connecting'],
    ['live', 'live', 'reconnecting', 'offline', 'live'],
    ['reconnecting', 'reconnecting', 'reconnecting', 'reconnecting', 'reconnecting'],
    ['offline', 'offline', 'offline', 'offline', 'offline'],
    ['refused', 'refused', 'refused', 'refused', 'refused'],
  ])
  expect(combineLinks(link('live'), undefined).state).toBe('live')
})
