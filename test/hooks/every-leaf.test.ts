// Arguments are shown whole or not at all: random inputs of every kind of tool.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claudeCode } from '../../server/hooks/claude-code.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { shownText } from '../../shared/shown-arguments.ts'
import { forAll } from '../support/for-all.ts'
import { textsOf } from './planned.ts'
import { claudePermission, options } from './requests.ts'

const TOOLS = ['Bash', 'PowerShell', 'Write', 'Edit', 'ExitPlanMode', 'mcp__mail__send']
const FIELDS = ['command', 'description', 'file_path', 'content', 'old_string', 'new_string', 'plan']

const odd = fc.constantFrom(
  '\u202e',
  '\u200b',
  '\r',
  '\n',
  '\t',
  '\u{e0041}',
  '\ufe0f',
  '"',
  '\\',
  '\\u{202E}',
)
const words = fc
  .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), odd), { maxLength: 8 })
  .map(parts => parts.join(''))
const long = fc.tuple(words, fc.nat(1_500)).map(([text, times]) => text.slice(0, 4).repeat(times))
const leaf = fc.oneof(words, words, words, long, fc.jsonValue({ stringUnit: 'binary' }))
const key = fc.oneof(fc.constantFrom(...FIELDS, '__proto__', 'constructor'), words)
/** As it comes out of a request: parsed from JSON, which keeps even a field named `__proto__`. */
const input = fc
  .array(fc.tuple(key, leaf), { maxLength: 6 })
  .map((fields): unknown =>
    JSON.parse(`{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`),
  )

/** Each field stands on its own, or in the JSON, where its value is exactly the one that was sent. */
function missingFrom(texts: string[], tool: string, sent: Record<string, unknown>): string[] {
  const rest = texts.map(readObject).find(found => found !== null) ?? {}
  return Object.entries(sent).flatMap(([name, value]) => {
    if (Object.hasOwn(rest, name) && JSON.stringify(Reflect.get(rest, name)) === JSON.stringify(value))
      return []
    const is_said = name === 'description' && ['Bash', 'PowerShell'].includes(tool)
    if (is_said && (value === '' || value === null || isShort(texts))) return []
    if (typeof value !== 'string') return [name]
    const { text } = shownText(value)
    return texts.includes(is_said ? `It says: ${text}` : text) ? [] : [name]
  })
}

function readObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

const isShort = (texts: string[]) => texts.join('\n').length <= 80

test('every leaf of an input is on the card, or there is no card', () => {
  const seen = { cards: 0, none: 0 }
  forAll(
    fc.tuple(fc.constantFrom(...TOOLS), input),
    ([tool, sent]) => {
      if (!isJsonObject(sent)) throw new Error('an input is an object')
      const plan = claudeCode.plan(claudePermission(sent, tool), options)
      seen[plan.kind === 'ask' ? 'cards' : 'none']++
      if (plan.kind === 'ask') expect(missingFrom(textsOf(plan).slice(1), tool, sent)).toEqual([])
      // Too long, or with a number that JavaScript can't hold.
      else expect(JSON.stringify(sent)).toMatch(/^.{200}|\d{16}|e\+/s)
    },
    2_000,
  )
  expect(seen.cards).toBeGreaterThan(500)
  expect(seen.none).toBeGreaterThan(50)
})
