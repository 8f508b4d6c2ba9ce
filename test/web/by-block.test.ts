// What two tabs keep by card and block: each writes what changed in it, and neither drops what the other has.
import { expect, test } from 'vitest'
import {
  addChange,
  applyChanges,
  type BlockChange,
  type BlockChanges,
  merge,
} from '../../web/lib/by-block.ts'

test('changes of another tab stay, also on the same card', () => {
  const kept = { one: { a: 'from another tab' }, two: { b: 'old' } }
  const changes: BlockChange<string>[] = [
    ['one', 'c', 'new'],
    ['two', 'b'],
    ['three', 'd', 'more'],
  ]
  expect(applyChanges(kept, changes)).toEqual({
    one: { a: 'from another tab', c: 'new' },
    three: { d: 'more' },
  })
  expect(kept).toEqual({ one: { a: 'from another tab' }, two: { b: 'old' } })
})

test('the last change of a block counts; null is a value', () => {
  const changes: BlockChanges<string | null> = new Map()
  addChange(changes, ['one', 'a', 'first'])
  addChange(changes, ['one', 'a'])
  addChange(changes, ['one', 'b'])
  addChange(changes, ['one', 'b', null])
  expect(applyChanges({ one: { a: 'kept' } }, [...changes.values()])).toEqual({ one: { b: null } })
})

test('what is entered while the kept is being read goes before it, and takes nothing else of the card', () => {
  const kept = { one: { a: 'kept', b: 'kept' }, two: { c: 'kept' } }
  expect(merge(kept, { one: { a: 'now' }, three: { d: 'now' } })).toEqual({
    one: { a: 'now', b: 'kept' },
    two: { c: 'kept' },
    three: { d: 'now' },
  })
})
