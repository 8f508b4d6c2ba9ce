// A title of a test is a whole sentence that can be read without its `describe`, which is only a noun. The codes before its
// colon are promises that docs/ lists: D1 to D8 of decisions, M1 to M6 of people, P1 to P16 under faults.
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { sourcesOf, textOf } from './imports.ts'

type Title = { at: string; of: string; text: string }

/** A title that begins so continues its `describe`. */
const HALF =
  /^(?:(?:is|are|isn[’']t|has|have|gets?|gives?|returns?|keeps?|shows?|sends?|can|may|must|stays?|needs?|counts?|takes?|ends?|and|but|so|that)\b|(?:of|with)\b[^,]*$)/
const NO_NOUN =
  /^(?:after|as|at|for|if|in|on|over|returns|started|what|while|who|with|without)\b|(?:,| that)$/

const titles = sourcesOf('test')
  .filter(path => path.endsWith('.test.ts'))
  .flatMap(titlesOf)

test('every code in a title is a promise in docs/', () => {
  const promises = ['decisions', 'people', 'reliability'].flatMap(name =>
    [...textOf(`docs/${name}.md`).matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, code]) => code),
  )
  const prefixes = titles.flatMap(({ text }) => /^((?:[A-Z]?\d+(?:, | and | to )?)+): /.exec(text)?.[1] ?? [])
  const codes = new Set(prefixes.flatMap(prefix => prefix.match(/[A-Z]?\d+/g) ?? []))
  expect(promises).toContain('D1')
  expect(codes.size).toBeGreaterThan(20)
  expect([...codes].filter(code => !promises.includes(code))).toEqual([])
})

test('no title begins in the middle of a sentence, and every `describe` is a noun', () => {
  const wrong = ({ of, text }: Title) =>
    (of === 'test' ? HALF : NO_NOUN).test(text.replace(/^[A-Z]\d+: /, ''))
  expect(titles.filter(title => wrong(title))).toEqual([])
})

function titlesOf(path: string): Title[] {
  const text = textOf(path)
  const found: Title[] = []
  new Visitor({
    CallExpression({ callee, arguments: [title], start }) {
      // It may be `test.each(rows)`, too.
      const [, of] = /^(describe|test)\b/.exec(text.slice(callee.start, callee.end)) ?? []
      if (!of || !title) return
      const at = `${path}:${text.slice(0, start).split('\n').length}`
      if (title.type === 'Literal' && typeof title.value === 'string')
        found.push({ at, of, text: title.value })
      if (title.type === 'TemplateLiteral')
        found.push({ at, of, text: text.slice(title.start + 1, title.end - 1) })
    },
  }).visit(parseSync(path, text).program)
  return found
}
