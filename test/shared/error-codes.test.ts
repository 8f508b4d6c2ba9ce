// docs/errors.md against the codes.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { DECISION_CODES } from '../../shared/decision.ts'
import { ERRORS } from '../../shared/error-codes.ts'

const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8')
const documented = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)]

test('docs/errors.md lists every code once, with its status', () => {
  const rows = documented.map(([, status, code]) => `${status} ${code}`)
  expect(rows).toEqual(Object.entries(ERRORS).map(([code, [status]]) => `${status} ${code}`))
})

test('docs/errors.md has the message of every code whose message is always the same', () => {
  const messages = new Map(documented.map(([, , code, message]) => [code, message]))
  for (const [code, [, message]] of Object.entries(ERRORS))
    if (message !== null) expect([code, messages.get(code)]).toEqual([code, `\`${message}\``])
})

test('a code is a word in snake_case', () => {
  for (const code of Object.keys(ERRORS)) expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
})

test('every code of a decision error is a code of a response', () => {
  expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining([...DECISION_CODES]))
})
