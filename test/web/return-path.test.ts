// After signing in one goes back to a page of this app, never to another site.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { returnPath, signInPath } from '../../web/lib/return-path.ts'

test.each([
  ['/c/1?x=2#3', '/c/1?x=2#3'],
  ['/', '/'],
  [undefined, '/'],
  ['', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/\t/evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['c/1', '/'],
  [['/c/1', '/c/2'], '/'],
])('%s leads to %s', (candidate, path) => {
  expect(returnPath(candidate)).toBe(path)
})

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/./\\evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/a/b/../..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  '/%2f/evil.example',
  '/%5cevil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.\r//evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/@evil.example',
  '/:80//evil.example',
  '//evil.example:x',
  'javascript:alert(1)',
  '/javascript:alert(1)',
  'data:text/html,x',
])('%j stays on the own origin', candidate => {
  const path = returnPath(candidate)
  const url = new URL(path, 'https://own.example')
  expect(url.origin).toBe('https://own.example')
  // The router reads it a second time.
  expect(returnPath(path)).toBe(path)
})

test('no text leads to another origin', () => {
  const pieces = [
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    '\t',
    '\n',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'http:',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), list => {
      const path = returnPath(`/${list.join('')}`)
      expect(new URL(path, 'https://own.example').origin).toBe('https://own.example')
    }),
    { numRuns: 5_000 },
  )
})

test('the sign-in page is told where one came from', () => {
  expect(signInPath('/c/1')).toBe('/sign-in?return=%2Fc%2F1')
  expect(signInPath('/')).toBe('/sign-in')
})

test('from the ways in one goes back to where one came from before them', () => {
  expect(signInPath('/sign-up')).toBe('/sign-in')
  expect(signInPath('/sign-up?return=%2Fc%2F1')).toBe('/sign-in?return=%2Fc%2F1')
  expect(signInPath('/sign-in?return=%2Fc%2F1')).toBe('/sign-in?return=%2Fc%2F1')
})
