// The JSON of a card, read as the API reads it: what is wrong, in its words, and where.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createCardBody } from '../../../shared/card.ts'
import { parse, refusals } from '../../../shared/invalid.ts'
import { formatJson } from '../../../web/builder/format-json.ts'
import { type Place, scanJson } from '../../../web/builder/json-places.ts'
import { readCard } from '../../../web/builder/reading.ts'
import { messageOf } from '../../support/blocks.ts'

// Many cards at random, on machines that are busy with other things.
vi.setConfig({ testTimeout: 60_000 })

const parses = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON with a piece cut out or put in: sometimes still JSON. */
const damaged = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat(4),
    fc.constantFrom('', ',', '}', '"', '\\', '\n', '0', 'e', ' ', "'", ':'),
  )
  .map(([text, at, cut, put]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + put + text.slice(from + cut)
  })

test('a text is JSON here exactly where it is for JSON.parse', () => {
  fc.assert(
    fc.property(fc.oneof(damaged, fc.json(), fc.string()), text => {
      expect(scanJson(text).ok).toBe(parses(text))
    }),
    { numRuns: 1_000 },
  )
})

test('a place holds the text of its value', () => {
  const holds = (text: string, value: unknown, place: Place) => {
    expect(JSON.parse(text.slice(place.from, place.to))).toEqual(value)
    if (typeof value !== 'object' || value === null) return
    for (const [name, field] of Object.entries(value)) {
      const at = place.fields.get(Array.isArray(value) ? Number(name) : name)
      expect(at).toBeDefined()
      if (at) holds(text, field, at)
    }
  }
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const text = formatJson(value)
      const scan = scanJson(text)
      if (scan.ok) holds(text, JSON.parse(text), scan.root)
      expect(scan.ok).toBe(true)
    }),
  )
})

test('formatting changes no value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(JSON.parse(formatJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

describe('where it is no JSON', () => {
  test.each([
    ['{\n  "blocks": [,]\n}', 2, 14, 'A value is expected here'],
    ['{"blocks": [1,]}', 1, 15, 'The comma before this bracket is one too many'],
    ['{\n  blocks: []\n}', 2, 3, 'A name in double quotes is expected here'],
    ['{"a": \'b\'}', 1, 7, 'Text stands in double quotes'],
    ['{"a": 1 "b": 2}', 1, 9, 'A comma or } is expected here'],
    ['{"a": nope}', 1, 7, 'Not a value of JSON: text stands in double quotes'],
    ['{"a": "b\nc"}', 1, 9, 'A line break in a text is written \\n'],
    ['{"a": 1', 1, 8, 'The text ends too early'],
    ['{} {}', 1, 4, 'Nothing may follow the end of the card'],
    ['', 1, 1, 'The text ends too early'],
  ])('%j: line %i, column %i: %s', (text, line, column, hint) => {
    expect(readCard(text)).toMatchObject({
      state: 'malformed',
      problems: [{ message: 'Invalid JSON', hint, line, column }],
    })
  })
})

const text = (value: unknown) => JSON.stringify(value, null, 2)

describe('what is wrong has the API’s words, and a place', () => {
  test.each([
    [{}, 'blocks are required', 1, 1],
    [{ blocks: [] }, 'blocks must have 1 to 100 items', 2, 13],
    [{ blocks: [{ type: 'text' }] }, 'blocks[0].content is required', 3, 5],
    [{ blocks: [{ type: 'text', content: 5 }] }, 'blocks[0].content must be a string', 5, 18],
    [{ blocks: [{ type: 'text', content: '\0' }] }, 'blocks[0].content must not contain NUL', 5, 18],
    [
      {
        blocks: [
          { type: 'divider', id: 'x' },
          { type: 'divider', id: 'x' },
        ],
      },
      'blocks[1].id must be unique in the card',
      9,
      13,
    ],
    [[], 'The request body must be a JSON object', 1, 1],
    [{ blocks: [{ type: 'text', content: 'x'.repeat(300_000) }] }, 'Request body too large', 1, 1],
  ])('%j', (value, message, line, column) => {
    expect(readCard(text(value)).problems[0]).toMatchObject({ message, line, column })
  })
})

test('a byte order mark before the card is no mistake: the API skips it', () => {
  const card = { blocks: [{ type: 'badge', label: '' }] }
  expect(readCard(`\ufeff${text(card)}`)).toMatchObject({
    state: 'readable',
    value: card,
    problems: [{ message: 'blocks[0].label is required', line: 5, column: 16 }],
  })
})

test('all that is wrong is told, the API’s own refusal first', () => {
  const value = { status: 'fine', blocks: [{ type: 'text' }, { type: 'badge', label: '' }, { type: 'what' }] }
  const messages = readCard(text(value)).problems.map(({ message }) => message)
  expect(messages).toHaveLength(4)
  expect(messages[0]).toBe(messageOf(() => parse(createCardBody, value)))
  expect(new Set(messages)).toEqual(new Set(refusals(createCardBody, value).map(one => one.message)))
})
