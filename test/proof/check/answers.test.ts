// P2: one Idempotency-Key, one answer.
import { expect, test } from 'vitest'
import type { Tried } from '../load/posters.ts'
import { checkAnswers } from './answers.ts'
import { filesOf, promises, triedOf, unknown } from './sample.ts'

const request = { kind: 'post' as const, op: 'one', status: 'default' as const, idempotent: true }
const first = triedOf(request, [10, 20], 201, { id: 'a' })
const check = (...tried: Tried[]) => promises(checkAnswers(filesOf({ tried })))

test('a repeated answer that is the same has no findings, whatever the first try met', () => {
  const again = triedOf(request, [30, 40], 201, { id: 'a' }, { replayed: true })
  expect(check(first, again)).toEqual([])
  expect(check(unknown(request, [1, 5]), first)).toEqual([])
  expect(check(triedOf(request, [12, 15], 409, { error: 'still running' }), first)).toEqual([])
  expect(check(unknown(request, [1, 5]), triedOf(request, [6, 7], 409, {}), first)).toEqual([])
})

test('P2: a second answer that differs, or that is of a second write, is a finding', () => {
  expect(check(first, triedOf(request, [30, 40], 201, { id: 'b' }, { replayed: true }))).toEqual(['P2'])
  expect(check(first, triedOf(request, [30, 40], 201, { id: 'a' }))).toEqual(['P2'])
})

test('a PATCH that is repeated after its card was deleted gets 404', () => {
  const patch = { kind: 'patch' as const, op: 'two', card_id: 'a', idempotent: true }
  const patched = triedOf(patch, [10, 20], 200, { id: 'a' })
  expect(check(patched, triedOf(patch, [30, 40], 404, { error: 'Card not found' }))).toEqual([])
  expect(check(patched, triedOf(patch, [30, 40], 404, { error: 'Channel not found' }))).toEqual(['P2'])
})

test('P2: a request that is told that another one is running, and none is, is a finding', () => {
  expect(check(triedOf(request, [1, 5], 409, { error: 'still running' }), first)).toEqual(['P2'])
  expect(check(first, triedOf(request, [30, 40], 409, { error: 'still running' }))).toEqual(['P2'])
})
