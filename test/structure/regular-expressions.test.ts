// Regular expressions must not backtrack more than linearly, or a short request could block the process.
import { isSafePattern } from 'redos-detector'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { sourcesOf, textOf } from './imports.ts'

type Found = { path: string; source: string; flags: string }

/** The checker takes seconds on a busy machine. */
const PATIENT = { timeout: 60_000 }

/** Expressions that the checker can't prove, and why they are safe. */
const PROVEN_BY_HAND: Record<string, string> = {
  '-\\d+$': 'digits hold no hyphen, so no character is read by two attempts',
  '^.*? UTC \\[\\d+\\] ': 'digits hold no blank, so an attempt ends before the next one begins',
  '<script>(.*?)<\\/script>': 'reads only the page that the build wrote',
  '<script type="module"[^>]* src="\\/([^"]+)"': 'reads only the page that the build writes',
}

/** Files whose expressions aren't literals; linear-work.test.ts tries them with long strings. */
const NOT_SPELLED_OUT = ['shared/text.ts', 'shared/user.ts']

const literals: Found[] = []
const elsewhere = new Set<string>()
for (const path of ['shared', 'server', 'web'].flatMap(sourcesOf)) {
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push({ path, source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') elsewhere.add(path)
    },
    CallExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') elsewhere.add(path)
    },
    MemberExpression({ property }) {
      if (property.type === 'Identifier' && property.name === 'regexes') elsewhere.add(path)
    },
  }).visit(parseSync(path, textOf(path)).program)
}

function isLinear({ source, flags }: Found): boolean {
  const unicode = flags.includes('u') || flags.includes('v')
  return isSafePattern(source, {
    unicode,
    caseInsensitive: flags.includes('i'),
    dotAll: flags.includes('s'),
  }).safe
}

test('the checker finds the classic mistakes', () => {
  const slow = ['\\s+$', '^[^@]+@[^@]+\\.[^@]+$', '^(a+)+$', '%.*$']
  for (const source of slow) expect(isLinear({ path: '', source, flags: '' }), source).toBe(false)
  expect(isLinear({ path: '', source: '^[a-z0-9-]{3,48}$', flags: '' })).toBe(true)
})

test('no regular expression backtracks more than linearly', PATIENT, () => {
  expect(literals.length).toBeGreaterThan(100)
  const slow = literals.filter(found => !isLinear(found))
  const unproven = slow.filter(({ source }) => !Object.hasOwn(PROVEN_BY_HAND, source))
  expect(unproven.map(({ path, source }) => `${path}: /${source}/`)).toEqual([])
  expect([...new Set(slow.map(({ source }) => source))].sort()).toEqual(Object.keys(PROVEN_BY_HAND).sort())
})

test('only known files build regular expressions at run time or take them from a library', () => {
  expect([...elsewhere]).toEqual(NOT_SPELLED_OUT)
})
