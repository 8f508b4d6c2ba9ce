// What is counted for a fault, and what is not.
import { expect, test } from 'vitest'
import type { Files } from './check/files.ts'
import { feltOf } from './felt.ts'
import type { Tried } from './load/posters.ts'
import type { Mark } from './run.ts'

const S = 1_000_000

function tried(begin: number, end: number, status: number | null): Tried {
  const answer = status === null ? null : { status, body: null, replayed: false }
  const request = { kind: 'get', op: `at-${begin}`, card_id: 'c' } as const
  return { request, channel_id: 'x', instance: 0, begin, end, answer, error: answer ? null : 'ECONNRESET' }
}

const kill: Mark = {
  at: 2 * S,
  kind: 'fault',
  fault: { at: 0, lasts: 500, kind: 'kill', instance: 0 },
  ended: 3 * S,
  evidence: 'it died',
}
const cut: Mark = {
  at: 5 * S,
  kind: 'fault',
  fault: { at: 0, lasts: 500, kind: 'partition', instance: 1, link: 'front', how: 'cut', way: 'up' },
  ended: 6 * S,
  evidence: null,
}
const resume: Mark = { at: 20 * S, kind: 'phase', phase: 'resume' }

const files = (part: Pick<Files, 'marks'> & Partial<Files>) => ({ tried: [], turns: [], seen: [], ...part })

test('a request counts for the fault during which its client learned the outcome', () => {
  const all = [
    tried(0, S, null),
    tried(S, 3.5 * S, null),
    tried(4 * S, 4.1 * S, 201),
    tried(5 * S, 7 * S, 503),
  ]
  const { felt } = feltOf(files({ tried: all, marks: [kill, cut, resume] }))
  expect(felt).toMatchObject([
    { fault: 'kill', requests: 2, failed: 1, failing: 1_500, slowest: 2_500, lasted: 1_000 },
    { fault: 'partition, front, cut', requests: 1, failed: 1, failing: 2_000, evidence: null },
  ])
})

test('a viewer is away from the first loss of its connection until one opens, cut where the next fault begins', () => {
  const at = (seconds: number, kind: 'opened' | 'closed') => ({
    at: seconds * S,
    viewer: 0,
    channel_id: 'x',
    ...(kind === 'opened' ? { kind } : { kind, code: 1006 }),
  })
  const seen = [at(1, 'opened'), at(2.1, 'closed'), at(2.2, 'closed'), at(5.5, 'opened')]
  const { felt } = feltOf(files({ seen, marks: [kill, cut, resume] }))
  expect(felt).toMatchObject([
    { fault: 'kill', lost: 1, away: 2_900 },
    { fault: 'partition, front, cut', lost: 0, away: 500 },
  ])
})

test('the faults of a liveness phase are felt together', () => {
  const marks = [kill, cut].map(mark => ({ ...mark, together: true }))
  const { felt } = feltOf(files({ marks: [...marks, resume] }))
  expect(felt).toMatchObject([{ fault: 'all but one instance', lasted: 4_000 }])
})
