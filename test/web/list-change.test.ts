// Changes of the list keep the cards that somebody is reading in place.
import { expect, test } from 'vitest'
import { countAbove, planChange } from '../../web/lib/list-change.ts'

const list = (ids: string) => [...ids]

test('at the top, new cards push the others down in one step', () => {
  expect(planChange(list('abc'), list('xyabc'), null)).toEqual([{ ids: list('xyabc'), shift: false }])
})

test('a new card above the reader takes a step of its own', () => {
  expect(planChange(list('abc'), list('xabc'), 1)).toEqual([
    { ids: list('xabc'), shift: true },
    { ids: list('xabc'), shift: false },
  ])
})

test('a change below the reader takes one step', () => {
  expect(planChange(list('abc'), list('abcde'), 1)).toEqual([{ ids: list('abcde'), shift: false }])
  expect(planChange(list('abc'), list('ab'), 1)).toEqual([{ ids: list('ab'), shift: false }])
})

test('a change on both sides takes two steps', () => {
  expect(planChange(list('abcd'), list('xabd'), 1)).toEqual([
    { ids: list('xabcd'), shift: true },
    { ids: list('xabd'), shift: false },
  ])
})

test('a deleted card above the reader takes a step of its own', () => {
  expect(planChange(list('abcd'), list('bcd'), 2)[0]).toEqual({ ids: list('bcd'), shift: true })
})

test('if the card that was read is deleted, the next one keeps its place', () => {
  expect(planChange(list('abcd'), list('xacd'), 1)[0]).toEqual({ ids: list('xacd'), shift: false })
  expect(planChange(list('abcd'), list('xyacd'), 1)[0]).toEqual({ ids: list('xyacd'), shift: true })
})

test('countAbove counts the new cards above the known ones', () => {
  expect(countAbove(list('abc'), list('xyabc'))).toBe(2)
  expect(countAbove(list('abc'), list('abcd'))).toBe(0)
  expect(countAbove(list('abc'), list('xy'))).toBe(2)
})
