// The rows of a list in the builder: their keys, and what a button's row says of the fields that it hides.
import { expect, test } from 'vitest'
import { buttonNotes } from '../../../web/builder/button-notes.ts'
import { type KeyedItems, keyItems } from '../../../web/builder/item-keys.ts'

const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const edited = { id: 'b', label: 'New' }

test.each<[string, unknown[], unknown[], number[]]>([
  ['an edited item', [a, b, c], [a, edited, c], [1, 2, 3]],
  ['a moved item', [a, b, c], [c, a, b], [3, 1, 2]],
  ['the items after a deleted one', [a, b, c], [b, c], [2, 3]],
  ['the items before a new one', [a, b], [a, b, c], [1, 2, 9]],
  ['an option that equals the next one while it is typed', ['Lo', 'Low'], ['Low', 'Low'], [1, 2]],
  ['equal options', ['Low', 'Low'], ['Low', 'Low', 'Low'], [1, 2, 9]],
  ['items that were written anew', [a, b], [{ ...b }, { ...a }], [1, 2]],
])('%s keeps its row', (_, before, after, expected) => {
  const keyed: KeyedItems = { items: before, keys: before.map((_, at) => at + 1) }
  expect(keyItems(keyed, after, () => 9).keys).toEqual(expected)
})

test.each<[object, string]>([
  [{ id: 'ok', label: 'OK' }, ''],
  [{ confirm: 'Sure?', disabled: true }, 'Asks “Sure?” · Disabled'],
  [{ comment: 'required', confirm: '' }, 'Comment required'],
  [{ comment: 'none', disabled: false }, 'No comment'],
])('the row of the button %j says “%s”', (button, words) => {
  expect(buttonNotes(button)).toBe(words)
})
