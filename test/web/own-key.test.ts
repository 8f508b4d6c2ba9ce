// Ids from outside as keys of plain objects.
import { expect, test } from 'vitest'
import { ownKey } from '../../web/lib/safe-key.ts'

test('no id is a name that every object has, and no two ids share a key', () => {
  const ids = ['__proto__', 'constructor', 'valueOf', '#constructor', '##valueOf', 'note', '', ' ']
  const keys = ids.map(ownKey)
  expect(new Set(keys).size).toBe(ids.length)
  for (const key of keys) expect(key in {}).toBe(false)
  expect(ownKey('note')).toBe('note')
})
