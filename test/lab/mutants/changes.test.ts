import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { applyChanges, type Change } from './changes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const KEEP: Change = { in: 'KEEP_SECONDS', replace: 'KEEP_SECONDS\n=', by: 'KEPT =' }

test('a change applies to what it names, whatever the blanks', () => {
  const [[path = '', text = ''] = []] = applyChanges([KEEP], root)
  expect(path).toMatch(/^server\//)
  expect(text).toContain('export const KEPT =')
})

test.each<[string, Change]>([
  ['no source declares', { in: 'Nobody.knows', replace: 'it' }],
  ['declare RETRY_MS', { in: 'RETRY_MS', replace: '=' }],
  ['has no `nothing`', { ...KEEP, replace: 'nothing' }],
  ['has several `E`', { ...KEEP, replace: 'E' }],
  ['Unexpected token', { ...KEEP, by: '=' }],
])('a change that does not apply says: %s', (message, change) => {
  expect(() => applyChanges([change], root)).toThrow(message)
})
