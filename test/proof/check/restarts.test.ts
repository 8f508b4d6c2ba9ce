// P16: what a rolling restart may cost.
import { expect, test } from 'vitest'
import type { Seen } from '../load/viewers.ts'
import type { Mark } from '../run.ts'
import { checkRestarts } from './restarts.ts'
import { CHANNEL, promises, triedOf, unknown } from './sample.ts'

const restart: Mark = {
  at: 100,
  kind: 'fault',
  fault: { at: 0, lasts: 0, kind: 'restart', instance: 0, leave: false },
  ended: 200,
  evidence: 'stopped',
}
const request = { kind: 'list' as const, op: 'read', limit: 10 }
const closed = (viewer: number, at: number): Seen => ({
  at,
  viewer,
  channel_id: CHANNEL,
  kind: 'closed',
  code: 1012,
})

const check = (tried: ReturnType<typeof triedOf>[], seen: Seen[] = []) =>
  promises(checkRestarts({ marks: [restart], tried, seen }))

test('answers, and one lost connection of each viewer, have no findings', () => {
  expect(check([triedOf(request, [110, 120], 200, null)], [closed(0, 120), closed(1, 130)])).toEqual([])
  // Before and after.
  expect(check([unknown(request, [10, 20])], [closed(0, 120), closed(0, 220)])).toEqual([])
})

test('P16: a request that fails or is cut, and a viewer that loses two connections, are findings', () => {
  expect(check([triedOf(request, [190, 220], 503, null)])).toEqual(['P16'])
  expect(check([unknown(request, [90, 101])])).toEqual(['P16'])
  expect(check([], [closed(0, 120), closed(0, 180)])).toEqual(['P16'])
})
