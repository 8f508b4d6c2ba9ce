// Safe keys for ids that come from outside.
import { expect, test } from 'vitest'
import { safeKey } from '../../web/lib/safe-key.ts'

test('a safe key is never a name that every object has, and differs for every id', () => {
  const ids = ['__proto__', 'constructor', 'valueOf', '#constructor', '##valueOf', 'note', '', ' ']
  const keys = ids.map(safeKey)
  expect(new Set(keys).size).toBe(ids.length)
  for (const key of keys) expect(key in {}).toBe(false)
  expect(safeKey('note')).toBe('note')
})
