// The JSON of a card, parsed as the API parses it: its errors, and where they are.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createCardBody } from '../../../shared/card.ts'
import { parse, validationErrors } from '../../../shared/invalid.ts'
import { formatJson } from '../../../web/builder/format-json.ts'
import { type Position, scanJson } from '../../../web/builder/json-positions.ts'
import { parseCard } from '../../../web/builder/parse-card.ts'
import { messageOf } from '../../support/blocks.ts'
import { forAll } from '../../support/for-all.ts'

// Many cards at random, on machines that are busy with other things.
vi.setConfig({ testTimeout: 60_000 })

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON with a piece removed or inserted. It may still be JSON. */
const damaged = fc
  .tuple(fc.json(), fc.nat(), fc.nat(4), fc.constantFrom('', ...',}"\\\n0e \':'))
  .map(([text, at, cut, put]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + put + text.slice(from + cut)
  })

test('scanJson accepts exactly what JSON.parse accepts', () => {
  const texts = fc.oneof(damaged, fc.json(), fc.string())
  forAll(texts, text => expect(scanJson(text).ok).toBe(parses(text)), 1_000)
})

test('a position covers the text of its value', () => {
  const holds = (text: string, value: unknown, place: Position) => {
    expect(JSON.parse(text.slice(place.from, place.to))).toEqual(value)
    if (typeof value !== 'object' || value === null) return
    for (const [name, field] of Object.entries(value)) {
      const at = place.fields.get(Array.isArray(value) ? Number(name) : name)
      expect(at).toBeDefined()
      if (at) holds(text, field, at)
    }
  }
  forAll(fc.jsonValue(), value => {
    const text = formatJson(value)
    const scan = scanJson(text)
    if (scan.ok) holds(text, JSON.parse(text), scan.root)
    expect(scan.ok).toBe(true)
  })
})

test('a repeated property counts as JSON.parse counts it: the last one wins', () => {
  const scan = scanJson('{"a": 1, "a": 22}')
  expect(scan.ok && scan.root.fields.get('a')).toMatchObject({ from: 14, to: 16 })
})

test('a text that nests too deeply is malformed', () => {
  expect(scanJson('['.repeat(100_000))).toMatchObject({ ok: false, at: 1_000 })
})

test('formatting keeps the value', () => {
  forAll(fc.jsonValue(), value => {
    expect(JSON.parse(formatJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
  })
})

describe('malformed JSON', () => {
  test.each([
    ['{\n  "blocks": [,]\n}', 2, 14, 'A value is expected here'],
    ['{"blocks": [1,]}', 1, 15, 'Remove the comma before this bracket'],
    ['{\n  blocks: []\n}', 2, 3, 'A name in double quotes is expected here'],
    ['{"a": \'b\'}', 1, 7, 'Not a JSON value. Text needs double quotes'],
    ['{"a": 1 "b": 2}', 1, 9, 'A comma or } is expected here'],
    ['{"a": nope}', 1, 7, 'Not a JSON value. Text needs double quotes'],
    ['{"a": "b\nc"}', 1, 9, 'Write a line break in text as \\n'],
    ['{"a": "\\x"}', 1, 8, 'Use one of " \\ / b f n r t u after a backslash'],
    ['{"a": "\t"}', 1, 8, 'Escape this character'],
    ['{"a" 1}', 1, 6, 'A colon is expected here'],
    ['{"a": 1', 1, 8, 'The text ends too early'],
    ['{} {}', 1, 4, 'Nothing may follow the end of the card'],
    ['', 1, 1, 'The text ends too early'],
  ])('the malformed JSON %j is reported at line %i, column %i: %s', (text, line, column, hint) => {
    expect(parseCard(text)).toMatchObject({
      state: 'malformed',
      problems: [{ message: 'Invalid JSON', hint, line, column }],
    })
  })
})

const text = (value: unknown) => JSON.stringify(value, null, 2)
const divider = { type: 'divider', id: 'x' }

describe('problems', () => {
  test.each([
    [{}, 'blocks are required', 1, 1],
    [{ blocks: [] }, 'blocks must have 1 to 100 items', 2, 13],
    [{ blocks: [{ type: 'text' }] }, 'blocks[0].content is required', 3, 5],
    [{ blocks: [{ type: 'text', content: 5 }] }, 'blocks[0].content must be a string', 5, 18],
    [{ blocks: [{ type: 'text', content: '\0' }] }, 'blocks[0].content must not contain NUL', 5, 18],
    [{ blocks: [divider, divider] }, 'blocks[1].id must be unique in the card', 9, 13],
    [[], 'The request body must be a JSON object', 1, 1],
    [{ blocks: [{ type: 'text', content: 'x'.repeat(300_000) }] }, 'Request body too large', 1, 1],
  ])('the problem of %j has the API’s message and a position', (value, message, line, column) => {
    expect(parseCard(text(value)).problems[0]).toMatchObject({ message, line, column })
  })
})

test('a byte order mark before the card is skipped, as the API does', () => {
  const card = { blocks: [{ type: 'badge', label: '' }] }
  expect(parseCard(`\ufeff${text(card)}`)).toMatchObject({
    state: 'readable',
    value: card,
    problems: [{ message: 'blocks[0].label is required', line: 5, column: 16 }],
  })
})

test.each([
  { status: 'fine', blocks: [{ type: 'text' }, { type: 'badge', label: '' }, { type: 'what' }] },
  { blocks: 'none' },
  { blocks: [{ type: 'button', buttons: [{ label: 'Go', style: 'loud' }] }] },
  { blocks: [{ type: 'select', label: 'S', options: ['a'], value: 'b' }] },
  { blocks: [{ type: 'kv', rows: [{ key: 'a' }] }] },
  { blocks: [{ type: 'image', url: 'ftp://a.example' }] },
])('every problem of %j is reported, the API’s own error first', value => {
  const messages = parseCard(text(value)).problems.map(({ message }) => message)
  expect(messages[0]).toBe(messageOf(() => parse(createCardBody, value)))
  const errors = validationErrors(createCardBody, value).map(({ message }) => message)
  expect(messages.toSorted()).toEqual(errors.toSorted())
})
