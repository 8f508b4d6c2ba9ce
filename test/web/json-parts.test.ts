// The parts of JSON that have a colour.
import { expect, test } from 'vitest'
import { codeParts, jsonParts } from '../../web/lib/json-parts.ts'

const coloured = (text: string) => jsonParts(text).flatMap(({ text, kind }) => (kind ? [[kind, text]] : []))

test('names and strings are told apart, whatever they hold', () => {
  const text = JSON.stringify({ 'a "name": b': ['x: "y\\', '', 1, true], 'c\\': { d: null } }, null, 2)
  expect(coloured(text)).toEqual([
    ['name', JSON.stringify('a "name": b')],
    ['string', JSON.stringify('x: "y\\')],
    ['string', '""'],
    ['name', JSON.stringify('c\\')],
    ['name', '"d"'],
  ])
})

test.each([
  '',
  'curl "x": "y"',
  '{}',
  '{"cut',
  '{"a": "b\\',
  `[${'"\\"'.repeat(9)}`,
  `[${'"a",'.repeat(9_999)}1]`,
])('the parts of text %# together are that text', text => {
  const parts = jsonParts(text)
  expect(parts.map(part => part.text).join('')).toBe(text)
})

test('text that is not JSON, and long text, have no colours', () => {
  expect(coloured('curl "x"')).toEqual([])
  expect(coloured(`[${'"a",'.repeat(9_999)}1]`)).toEqual([])
})

test('code has the colours of its strings', () => {
  const kinds = codeParts(`curl -d '{"a": "b"}' -H "X: y"`).flatMap(({ text, kind }) =>
    kind ? [[kind, text]] : [],
  )
  expect(kinds).toEqual([
    ['name', '"a"'],
    ['string', '"b"'],
    ['string', '"X: y"'],
  ])
})
