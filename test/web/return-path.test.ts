// The page to return to after signing in is always a page of this app.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { returnPath, signInPath } from '../../web/lib/return-path.ts'
import { forAll } from '../support/for-all.ts'

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
])('%s returns to %s', (candidate, path) => {
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
])('%j stays on this site', candidate => {
  const path = returnPath(candidate)
  const url = new URL(path, 'https://own.example')
  expect(url.origin).toBe('https://own.example')
  // The router parses the path a second time.
  expect(returnPath(path)).toBe(path)
})

test('no path leads to another site', () => {
  const pieces = '/ \\ . .. %2e %2f %5c \t \n @ : ? # evil.example http:'.split(' ')
  const originOf = (path: string) => new URL(returnPath(path), 'https://own.example').origin
  const lists = fc.array(fc.constantFrom(...pieces), { maxLength: 8 })
  forAll(lists, list => expect(originOf(`/${list.join('')}`)).toBe('https://own.example'), 5_000)
})

test.each([
  ['/c/1', '/sign-in?return=%2Fc%2F1'],
  ['/', '/sign-in'],
  ['/sign-up', '/sign-in'],
  ['/sign-up?return=%2Fc%2F1', '/sign-in?return=%2Fc%2F1'],
  ['/sign-in?return=%2Fc%2F1', '/sign-in?return=%2Fc%2F1'],
])('from %s, signing in is at %s', (from, path) => {
  expect(signInPath(from)).toBe(path)
})
