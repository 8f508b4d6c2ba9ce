// action.yml and main.ts agree.
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { textOf } from '../structure/imports.ts'

type Described = Record<string, { description?: string; default?: string }>
const manifest: { inputs: Described; outputs: Described; runs: Record<string, string> } = parse(
  textOf('action/action.yml'),
)
const main = textOf('action/main.ts')
const named = (pattern: RegExp) => new Set([...main.matchAll(pattern)].map(([, name]) => name))

describe('action.yml', () => {
  test('the runner starts main.ts with Node 24', () => {
    expect(manifest.runs).toEqual({ using: 'node24', main: 'main.ts' })
  })

  test('every input is read by main.ts, and every input that main.ts reads is there', () => {
    const read = named(/\b(?:input|requiredInput)\('([\w-]+)'\)/g)
    expect(new Set(Object.keys(manifest.inputs))).toEqual(read)
  })

  test('every output is set by main.ts', () => {
    const [, set = ''] = /setOutputs\(\{\n(.+?)\n {2}\}\)/s.exec(main) ?? []
    const names = [...set.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name)
    expect(Object.keys(manifest.outputs).sort()).toEqual([...names, 'url', 'handle'].sort())
  })

  test('every input and output is described, and main.ts alone has the defaults', () => {
    for (const field of [...Object.values(manifest.inputs), ...Object.values(manifest.outputs)]) {
      expect(field.description).toMatch(/^\S.*$/)
      expect(field.default).toBeUndefined()
    }
  })
})
