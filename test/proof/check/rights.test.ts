// P10: how long a right may last.
import { expect, test } from 'vitest'
import type { Revoked } from '../load/revoke.ts'
import type { Mark } from '../run.ts'
import { checkRights } from './rights.ts'
import { filesOf, promises } from './sample.ts'

const S = 1_000_000

/** Taken away at 100 s; refused and closed these seconds later, or never. */
function revoked(refused_s: number | null, closed_s: number | null, opened = true, allowed = true): Revoked {
  const at = (seconds: number) => (100 + seconds) * S
  const refused = refused_s === null ? null : { at: at(refused_s), status: 401 }
  const closed = closed_s === null ? null : { at: at(closed_s), code: 4401 }
  return {
    op: 'one',
    right: 'key',
    instance: 0,
    at: at(0),
    seen: [{ instance: 1, allowed, open: [{ what: 'socket', opened, closed }], refused }],
  }
}

const fault = (from_s: number, to_s: number): Mark => ({
  at: from_s * S,
  kind: 'fault',
  fault: { at: 0, lasts: 0, kind: 'kill', instance: 0 },
  ended: to_s * S,
  evidence: 'died',
})

const check = (one: Revoked, marks: Mark[] = []) => promises(checkRights(filesOf({ revoked: [one], marks })))

test('a right that ends within two seconds has no findings', () => {
  expect(check(revoked(0.1, 1.9))).toEqual([])
  // The socket closed before, or never opened.
  expect(check(revoked(0.1, -3))).toEqual([])
  expect(check(revoked(0.1, null, false))).toEqual([])
  // It never worked there, so nothing shows that it ended.
  expect(check(revoked(null, 1, true, false))).toEqual([])
})

test('P10: a request that passes or a socket that stays open for longer is a finding', () => {
  expect(check(revoked(2.1, 1))).toEqual(['P10'])
  expect(check(revoked(1, 2.1))).toEqual(['P10'])
  expect(check(revoked(null, null))).toEqual(['P10', 'P10'])
})

test('P10: a right may last for five seconds after a fault, and for ten from the end of one that it lived through', () => {
  expect(check(revoked(4.9, 4.9), [fault(90, 95)])).toEqual([])
  expect(check(revoked(5.1, 1), [fault(90, 95)])).toEqual(['P10'])
  expect(check(revoked(4.9, 1), [fault(80, 85)])).toEqual(['P10'])
  expect(check(revoked(12.9, 1), [fault(99, 103)])).toEqual([])
  expect(check(revoked(13.1, 1), [fault(99, 103)])).toEqual(['P10'])
  // A later fault is no excuse.
  expect(check(revoked(4, 1), [fault(103, 104)])).toEqual(['P10'])
})
