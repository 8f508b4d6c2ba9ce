// The codes before the colon of a test's title are promises that docs/ lists: D1 to D8 of decisions, P1 to P16 under faults.
import { expect, test } from 'vitest'
import { sourcesOf, textOf } from './imports.ts'

test('every code in a title is a promise in docs/', () => {
  const promises = ['decisions', 'reliability'].flatMap(name =>
    [...textOf(`docs/${name}.md`).matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, code]) => code),
  )
  const titles = sourcesOf('test')
    .filter(path => path.endsWith('.test.ts'))
    .flatMap(path => [...textOf(path).matchAll(/\(\s*['"`]((?:[A-Z]?\d+, )*[A-Z]?\d+): /g)])
  const codes = new Set(titles.flatMap(([, codes = '']) => codes.split(', ')))
  expect(promises).toContain('D1')
  expect([...codes].filter(code => !promises.includes(code))).toEqual([])
})
