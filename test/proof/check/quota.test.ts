// P9: the count of a day, its limit, and when it refuses.
import { expect, test } from 'vitest'
import type { Tried } from '../load/posters.ts'
import type { Files } from './files.ts'
import { checkQuota } from './quota.ts'
import { CHANNEL, cardOf, filesOf, promises, triedOf, turnOf } from './sample.ts'

const day = '2026-01-31'
/** The day has two cards left. */
const spender = { user_id: 'user', api_key: '', channel_id: CHANNEL, day, before: 8, limit: 10 }
const turns = [turnOf(2, 'card.inserted', cardOf('a', 'one')), turnOf(3, 'card.inserted', cardOf('b', 'two'))]
const request = (op: string) => ({ kind: 'post' as const, op, status: 'default' as const })
const tried = [
  triedOf(request('one'), [10, 20], 201, { id: 'a' }),
  triedOf(request('two'), [30, 40], 201, { id: 'b' }),
]
const refused = (times: [number, number], error = 'Daily card limit reached') =>
  triedOf(request('three'), times, 429, { error })

const check = (cards: number, more: Tried[] = [], given: Partial<Files> = {}) =>
  promises(
    checkQuota(
      filesOf({
        turns,
        tried: [...tried, ...more],
        spender,
        ending: [
          { kind: 'owner', channel_id: CHANNEL, user_id: 'user' },
          { kind: 'usage', user_id: 'user', day, cards },
        ],
        ...given,
      }),
    ),
  )

test('a count that equals the creations, and a 429 when nothing was left, have no findings', () => {
  expect(check(10, [refused([50, 60])])).toEqual([])
  // The second card was under way.
  expect(check(10, [refused([25, 35])])).toEqual([])
})

test('P9: a card that is counted twice or not at all is a finding', () => {
  expect(check(11)).toEqual(['P9'])
  expect(check(9)).toEqual(['P9'])
})

test('P9: a 429 while something was left, for another user, or with other words, is a finding', () => {
  expect(check(10, [refused([22, 28])])).toEqual(['P9'])
  expect(check(10, [{ ...refused([50, 60]), channel_id: 'another' }])).toEqual(['P9'])
  expect(check(10, [refused([50, 60], 'Slow down')])).toEqual(['P9'])
})

test('P9: cards that a failover loses use up the day until the loss is noticed', () => {
  const fault = { at: 0, lasts: 0, kind: 'failover', synchronous: false } as const
  const marks: Files['marks'] = [{ at: 41, ended: 100, kind: 'fault', fault, evidence: 'two turns' }]
  const lost = { turns: [], lost: turns, marks }
  expect(check(8, [refused([50, 60])], lost)).toEqual([])
  expect(check(8, [refused([110, 120])], lost)).toEqual(['P9'])
})

test('P9: more cards than the limit are a finding', () => {
  const third = [...turns, turnOf(4, 'card.inserted', cardOf('c', 'three'))]
  expect(check(11, [], { turns: third })).toEqual(['P9'])
})

test('P9: a 429 that comes late though nothing is broken is a finding', () => {
  const S = 1_000_000
  const marks: Files['marks'] = [{ at: 0, kind: 'phase', phase: 'resume' }]
  expect(check(10, [refused([S, 1.9 * S])], { marks })).toEqual([])
  expect(check(10, [refused([S, 2.1 * S])], { marks })).toEqual(['P9'])
  expect(check(10, [refused([S, 2.1 * S])])).toEqual([])
  // On a machine that is three times slower, where other requests take 1.5 s.
  const machine = [{ at: S, slow: 3 }]
  const slow = triedOf({ kind: 'patch', op: 'slow', card_id: 'a' }, [S, 2.5 * S], 200, { id: 'a' })
  expect(check(10, [slow, refused([S, 4 * S])], { marks, machine })).toEqual([])
  expect(check(10, [slow, refused([S, 4.2 * S])], { marks, machine })).toEqual(['P9'])
})
