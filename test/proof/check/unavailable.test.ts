// P14: what a request gets while the database is unavailable.
import { expect, test } from 'vitest'
import type { Tried } from '../load/posters.ts'
import type { Mark } from '../run.ts'
import { filesOf, promises, triedOf, unknown } from './sample.ts'
import { checkUnavailable } from './unavailable.ts'

const S = 1_000_000
const request = { kind: 'post', op: 'one', status: 'default' } as const
const refused = (took_s: number, retry_after?: string): Tried =>
  triedOf(request, [0, took_s * S], 503, {}, retry_after === undefined ? {} : { retry_after })
const pause = (from_s: number, to_s: number): Mark => ({
  at: from_s * S,
  kind: 'fault',
  fault: { at: 0, lasts: 0, kind: 'pause', instance: 0 },
  ended: to_s * S,
  evidence: 'stopped',
})
/** A fault that lasts throughout and delays no request. */
const away: Mark = {
  at: 0,
  kind: 'fault',
  fault: { at: 0, lasts: 0, kind: 'postgres', how: 'killed' },
  ended: 60 * S,
  evidence: 'died',
}
const check = (tried: Tried, marks: Mark[] = [], faults = [away]) =>
  promises(checkUnavailable(filesOf({ tried: [tried], marks: [...faults, ...marks] })))

test('a 503 with Retry-After within 11 s, or a slow success, has no findings', () => {
  expect(check(refused(10.9, '1'))).toEqual([])
  expect(check(triedOf(request, [0, 15 * S], 201, {}))).toEqual([])
  // The instance was paused meanwhile.
  expect(check(refused(15, '1'), [pause(1, 6)])).toEqual([])
})

test('P14: a 503 without Retry-After, or after more than 11 s, or no answer at all, is a finding', () => {
  expect(check(refused(1))).toEqual(['P14'])
  expect(check(refused(11.1, '1'))).toEqual(['P14'])
  expect(check(refused(15, '1'), [pause(20, 30)])).toEqual(['P14'])
  expect(check(unknown(request, [0, 20 * S]))).toEqual(['P14'])
})

test('P14: a failure before the first fault, or when everything has healed, is a finding', () => {
  const resume: Mark = { at: 0, kind: 'phase', phase: 'resume' }
  expect(check(refused(1, '1'), [], [])).toEqual(['P14'])
  expect(check({ ...refused(1, '1'), begin: 1 }, [resume])).toEqual(['P14'])
  expect(check(triedOf(request, [0, S], 429, {}), [], [])).toEqual([])
})

test('without a fault, a request may reach its deadline only on a machine that is far too slow', () => {
  const at = (slow: number) => filesOf({ tried: [refused(10.7, '1')], marks: [], machine: [{ at: S, slow }] })
  expect(promises(checkUnavailable(at(5)))).toEqual([])
  expect(promises(checkUnavailable(at(2)))).toEqual(['P14'])
})
