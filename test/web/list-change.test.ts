// Changes of the list keep the cards that somebody is reading in place.
import { expect, test } from 'vitest'
import { countAbove, planChange } from '../../web/lib/list-change.ts'

const list = (ids: string) => [...ids]

/** The steps of a change, each as its ids. A step that shifts the list ends in “shift”. */
const plan = (before: string, after: string, reading: number | null) =>
  planChange(list(before), list(after), reading).map(
    step => step?.ids.join('') + (step?.shift ? ' shift' : ''),
  )

test('at the top, new cards push the others down in one step', () => {
  expect(plan('abc', 'xyabc', null)).toEqual(['xyabc'])
})

test('a new card above the reader takes a step of its own', () => {
  expect(plan('abc', 'xabc', 1)).toEqual(['xabc shift', 'xabc'])
})

test('a change below the reader takes one step', () => {
  expect(plan('abc', 'abcde', 1)).toEqual(['abcde'])
  expect(plan('abc', 'ab', 1)).toEqual(['ab'])
})

test('a change on both sides takes two steps', () => {
  expect(plan('abcd', 'xabd', 1)).toEqual(['xabcd shift', 'xabd'])
})

test('a deleted card above the reader takes a step of its own', () => {
  expect(plan('abcd', 'bcd', 2)[0]).toBe('bcd shift')
})

test('if the card that was read is deleted, the next one keeps its place', () => {
  expect(plan('abcd', 'xacd', 1)[0]).toBe('xacd')
  expect(plan('abcd', 'xyacd', 1)[0]).toBe('xyacd shift')
})

test('countAbove counts the new cards above the known ones', () => {
  expect(countAbove(list('abc'), list('xyabc'))).toBe(2)
  expect(countAbove(list('abc'), list('abcd'))).toBe(0)
  expect(countAbove(list('abc'), list('xy'))).toBe(2)
})
