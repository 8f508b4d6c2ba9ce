// What counts as progress of the one instance that has healed.
import { expect, test } from 'vitest'
import type { Tried } from '../load/posters.ts'
import type { Mark } from '../run.ts'
import { checkProgress } from './progress.ts'

const marks: Mark[] = [
  { at: 1_000_000, kind: 'phase', phase: 'core' },
  { at: 9_000_000, kind: 'phase', phase: 'heal' },
]

const files = (tried: Tried[]) => ({ tried, marks })

function tried(begin: number, status: number | null): Tried {
  const answer = status === null ? null : { status, body: null, replayed: false }
  const request = { kind: 'get', op: `at-${begin}`, card_id: 'c' } as const
  return {
    request,
    channel_id: 'x',
    instance: 0,
    begin,
    end: begin + 1,
    answer,
    error: answer ? null : 'ECONNRESET',
  }
}

test('a request that fails five seconds after the heal is a finding', () => {
  for (const status of [null, 503])
    expect(checkProgress(files([tried(6_000_000, status)]))).toMatchObject([{ promise: 'P14' }])
})

test('a request may fail sooner, and after the phase', () => {
  const all = [tried(5_900_000, 503), tried(6_000_000, 200), tried(9_000_000, 503)]
  expect(checkProgress(files(all))).toEqual([])
})

test('a liveness phase without a late request proves nothing', () => {
  expect(checkProgress(files([tried(2_000_000, 200)]))).toMatchObject([{ promise: 'P14' }])
})

test('a run without a liveness phase is not checked for progress', () => {
  expect(checkProgress({ ...files([tried(6_000_000, null)]), marks: [] })).toEqual([])
})
