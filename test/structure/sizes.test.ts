// Files and functions stay small enough to read in one go.
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { sourcesOf, textOf } from './imports.ts'

const FILE_MAX = 300
const FUNCTION_MAX = 90

const product = ['shared', 'client', 'server', 'web', 'action'].flatMap(sourcesOf)
const linesOf = (text: string) => text.split('\n').length - 1

test(`no file has more than ${FILE_MAX} lines`, () => {
  const long = [...product, ...sourcesOf('test')]
    .map(path => ({ path, lines: linesOf(textOf(path)) }))
    .filter(({ lines }) => lines > FILE_MAX)
  expect(long).toEqual([])
})

test(`no function has more than ${FUNCTION_MAX} lines`, () => {
  const functions = product.flatMap(functionsOf)
  expect(functions.length).toBeGreaterThan(product.length)
  expect(functions.filter(({ lines }) => lines > FUNCTION_MAX)).toEqual([])
})

/** Every function of a file, with its first line and length in lines. */
function functionsOf(path: string): { at: string; lines: number }[] {
  const text = textOf(path)
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
  const found: { at: string; lines: number }[] = []
  const add = ({ start, end }: { start: number; end: number }) =>
    found.push({
      at: `${path}:${linesOf(text.slice(0, start)) + 1}`,
      lines: linesOf(text.slice(start, end)) + 1,
    })
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program)
  return found
}
