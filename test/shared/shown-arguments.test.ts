// Arguments on a card: nothing invisible, and never cut.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { charCount } from '../../shared/characters.ts'
import { shownJson, shownText, tooLongToShow } from '../../shared/shown-arguments.ts'
import { forAll } from '../support/for-all.ts'

/** Each is invisible, or looks like a plain space. */
const INVISIBLE = [
  ['a carriage return', '\r', 'D'],
  ['an escape', '\u001b', '1B'],
  ['a delete', '\u007f', '7F'],
  ['a C1 control', '\u0085', '85'],
  ['a no-break space', '\u00a0', 'A0'],
  ['a soft hyphen', '\u00ad', 'AD'],
  ['a grapheme joiner', '\u034f', '34F'],
  ['a Hangul filler', '\u3164', '3164'],
  ['a zero-width space', '\u200b', '200B'],
  ['a zero-width joiner', '\u200d', '200D'],
  ['a right-to-left override', '\u202e', '202E'],
  ['an isolate', '\u2066', '2066'],
  ['a line separator', '\u2028', '2028'],
  ['a blank Braille pattern', '\u2800', '2800'],
  ['an ideographic space', '\u3000', '3000'],
  ['a variation selector', '\ufe0f', 'FE0F'],
  ['a byte order mark', '\ufeff', 'FEFF'],
  ['a tag', '\u{e0041}', 'E0041'],
  ['half a pair', '\ud83d', 'D83D'],
] as const

const oneLine = fc.string({ unit: 'binary', maxLength: 40 })
const invisible = fc.constantFrom(...INVISIBLE.map(([, character]) => character))
const text = fc.array(fc.oneof(oneLine, invisible, fc.constantFrom('\n', '\t', '\\u{202E}')), {
  maxLength: 6,
})
const anyText = text.map(parts => parts.join(''))

describe('text', () => {
  test.each(INVISIBLE)('%s shows as its code point', (_, character, code) => {
    expect(shownText(`rm ${character}-rf`)).toEqual({ text: `rm \\u{${code}}-rf`, hidden: true })
  })

  test('letters of any script, emoji, tabs and newlines stay', () => {
    const plain = 'ls\t-l\n日本語 العربية é e\u0301 😀 🇩🇪 "$HOME" \\u{202E}'
    expect(shownText(plain)).toEqual({ text: plain, hidden: false })
  })

  test('no text shows an invisible character', () => {
    forAll(
      anyText,
      value => {
        const shown = shownText(value)
        const ink = shown.text.replace(/[\t\n ]/g, '')
        expect(ink).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}]/u)
        expect(shown.hidden).toBe(shown.text !== value)
      },
      2_000,
    )
  })
})

describe('JSON', () => {
  test.each(INVISIBLE)('%s is an escape, in a value and in a key', (_, character) => {
    for (const value of [{ path: character }, { [character]: 1 }]) {
      const shown = shownJson(value)
      expect(shown.hidden).toBe(true)
      expect(shown.text).not.toContain(character)
      expect(JSON.parse(shown.text)).toEqual(value)
    }
  })

  test('escapes look like those of JSON', () => {
    expect(shownJson({ a: '\u202e\u{e0041}' }).text).toBe('{\n  "a": "\\u202e\\udb40\\udc41"\n}')
  })

  test('an escaped newline or tab is not hidden', () => {
    expect(shownJson({ a: 'one\n\ttwo', b: 'C:\\read' }).hidden).toBe(false)
  })

  test('what is shown parses to the same value', () => {
    forAll(
      fc.jsonValue({ stringUnit: 'binary' }),
      value => {
        expect(JSON.parse(shownJson(value).text)).toEqual(JSON.parse(JSON.stringify(value)))
      },
      2_000,
    )
  })
})

describe('length', () => {
  test('4,000 characters are shown, and 4,001 are not', () => {
    expect(tooLongToShow(['x'.repeat(3_000), '😀'.repeat(1_000)])).toBeNull()
    expect(tooLongToShow(['x'.repeat(3_000), '😀'.repeat(1_001)])).toBe(
      'The arguments are too long to show: 4001 characters, at most 4000',
    )
  })

  test('200 lines are shown, and 201 are not', () => {
    expect(tooLongToShow(['path', 'x\n'.repeat(198)])).toBeNull()
    expect(tooLongToShow(['path', 'x\n'.repeat(199)])).toBe(
      'The arguments are too long to show: 201 lines, at most 200',
    )
  })

  test('an escape counts as it is shown', () => {
    const { text } = shownText('\u202e'.repeat(500))
    expect(charCount(text)).toBe(4_000)
    expect(tooLongToShow([text])).toBeNull()
    expect(tooLongToShow([text, 'x'])).not.toBeNull()
  })
})
