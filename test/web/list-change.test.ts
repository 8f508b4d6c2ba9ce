// How the list changes under a reader: on one side at a time, and never where they read.
import { expect, test } from 'vitest'
import { countAbove, planChange } from '../../web/lib/list-change.ts'

const list = (ids: string) => [...ids]

test('at the top new cards push down, in one step', () => {
  expect(planChange(list('abc'), list('xyabc'), null)).toEqual([{ ids: list('xyabc'), shift: false }])
})

test('what comes above the reader is made in a step of its own that keeps the place', () => {
  expect(planChange(list('abc'), list('xabc'), 1)).toEqual([
    { ids: list('xabc'), shift: true },
    { ids: list('xabc'), shift: false },
  ])
})

test('what comes or goes below the reader needs no care', () => {
  expect(planChange(list('abc'), list('abcde'), 1)).toEqual([{ ids: list('abcde'), shift: false }])
  expect(planChange(list('abc'), list('ab'), 1)).toEqual([{ ids: list('ab'), shift: false }])
})

test('a change on both sides is made in two steps', () => {
  expect(planChange(list('abcd'), list('xabd'), 1)).toEqual([
    { ids: list('xabcd'), shift: true },
    { ids: list('xabd'), shift: false },
  ])
})

test('a card that goes above the reader keeps the place too', () => {
  expect(planChange(list('abcd'), list('bcd'), 2)[0]).toEqual({ ids: list('bcd'), shift: true })
})

test('where the card that was read is gone, the next one keeps its place', () => {
  expect(planChange(list('abcd'), list('xacd'), 1)[0]).toEqual({ ids: list('xacd'), shift: false })
  expect(planChange(list('abcd'), list('xyacd'), 1)[0]).toEqual({ ids: list('xyacd'), shift: true })
})

test('the cards above those that were there are counted', () => {
  expect(countAbove(list('abc'), list('xyabc'))).toBe(2)
  expect(countAbove(list('abc'), list('abcd'))).toBe(0)
  expect(countAbove(list('abc'), list('xy'))).toBe(2)
})
