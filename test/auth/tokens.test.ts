import { expect, test } from 'vitest'
import { randomToken, sign, unsign } from '../../server/auth/tokens.ts'

test('a token is 32 random bytes in base64url', () => {
  expect(randomToken()).toMatch(/^[\w-]{43}$/)
  expect(randomToken()).not.toBe(randomToken())
})

test('a signed value is returned, even if it contains dots', () => {
  expect(unsign('secret', 'session', sign('secret', 'session', 'a.b.c'))).toBe('a.b.c')
})

test.each([
  ['another secret', sign('other', 'session', 'value')],
  ['another purpose', sign('secret', 'unlock', 'value')],
  ['another value', sign('secret', 'session', 'value').replace('value', 'valuE')],
  ['no signature', 'value'],
  ['an empty signature', 'value.'],
  ['half a signature', sign('secret', 'session', 'value').slice(0, -20)],
])('a value with %s is rejected', (_, signed) => {
  expect(unsign('secret', 'session', signed)).toBeNull()
})
