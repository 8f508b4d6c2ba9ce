// After signing in one goes back to a page of this app, never to another site.
import { expect, test } from 'vitest'
import { returnPath, signInPath } from '../../web/shell/return-path.ts'

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

test('the sign-in page is told where one came from', () => {
  expect(signInPath('/c/1')).toBe('/sign-in?return=%2Fc%2F1')
  expect(signInPath('/')).toBe('/sign-in')
})

test('from the ways in one goes back to where one came from before them', () => {
  expect(signInPath('/sign-up')).toBe('/sign-in')
  expect(signInPath('/sign-up?return=%2Fc%2F1')).toBe('/sign-in?return=%2Fc%2F1')
  expect(signInPath('/sign-in?return=%2Fc%2F1')).toBe('/sign-in?return=%2Fc%2F1')
})
