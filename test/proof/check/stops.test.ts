// P16: what counts as a request that a stop has cut off.
import { expect, test } from 'vitest'
import type { Mark } from '../run.ts'
import { filesOf, promises, triedOf, unknown } from './sample.ts'
import { checkStops } from './stops.ts'

const S = 1_000_000
const stop: Mark = {
  at: 10 * S,
  kind: 'fault',
  fault: { at: 0, lasts: 0, kind: 'stop', instance: 0, channel: 0 },
  ended: 12 * S,
  evidence: 'writes waited',
}
const post = { kind: 'post' as const, op: 'one', status: 'default' as const }
const check = (tried: ReturnType<typeof unknown>, marks = [stop]) =>
  promises(checkStops(filesOf({ tried: [tried], marks })))

test('an answer, a port that was closed already, and a cut at another time have no findings', () => {
  expect(check(triedOf(post, [10 * S, 11 * S], 201, { id: 'a' }))).toEqual([])
  expect(check(unknown(post, [11 * S, 11.1 * S]))).toEqual([])
  expect(check(unknown(post, [13 * S, 14 * S]))).toEqual([])
  expect(check({ ...unknown(post, [10 * S, 11 * S]), instance: 1 })).toEqual([])
})

test('a request that began when the instance had ended has no findings, however long its refusal took', () => {
  const stopped = { ...stop, stopped_at: 10.5 * S }
  expect(check(unknown(post, [10.6 * S, 11 * S]), [stopped])).toEqual([])
  expect(check(unknown(post, [10.4 * S, 11 * S]), [stopped])).toEqual(['P16'])
})

test('P16: a request under way that is cut off is a finding', () => {
  expect(check(unknown(post, [10 * S, 11 * S]))).toEqual(['P16'])
})
