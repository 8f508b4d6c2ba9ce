// Several tabs save values by card and block: each saves its own changes, and none drops another tab's.
import { expect, test } from 'vitest'
import { applyChanges, mergeValues, type ValueChange } from '../../web/data/drafts/block-values.ts'

test("another tab's changes stay, even on the same card", () => {
  const saved = { one: { a: 'from another tab' }, two: { b: 'old' } }
  const changes: ValueChange<string>[] = [
    ['one', 'c', 'new'],
    ['two', 'b'],
    ['three', 'd', 'more'],
  ]
  expect(applyChanges(saved, changes)).toEqual({
    one: { a: 'from another tab', c: 'new' },
    three: { d: 'more' },
  })
  expect(saved).toEqual({ one: { a: 'from another tab' }, two: { b: 'old' } })
})

test('the last change of a block wins, and null is a value', () => {
  const changes: ValueChange<string | null>[] = [
    ['one', 'a', 'first'],
    ['one', 'a'],
    ['one', 'b'],
    ['one', 'b', null],
  ]
  expect(applyChanges({ one: { a: 'saved' } }, changes)).toEqual({ one: { b: null } })
})

test('a value typed while saved values load wins, and other values of the card stay', () => {
  const saved = { one: { a: 'saved', b: 'saved' }, two: { c: 'saved' } }
  expect(mergeValues(saved, { one: { a: 'typed' }, three: { d: 'typed' } })).toEqual({
    one: { a: 'typed', b: 'saved' },
    two: { c: 'saved' },
    three: { d: 'typed' },
  })
})
