// The arguments of an action, as a card shows them to the person who approves it: all of them, or none. Characters that nobody
// can see stand there as escapes.
import { charCount } from './characters.ts'

/** Of all parts together, as they are shown. */
export const SHOWN_CHARACTERS_MAX = 4_000
export const SHOWN_LINES_MAX = 200

/** The badge of a card that shows escapes. */
export const HIDDEN_CHARACTERS = 'Hidden characters'

/** `hidden`: it has escapes of characters that would otherwise be invisible, so the card needs the badge. */
export type ShownText = { text: string; hidden: boolean }

/** Control, format and surrogate code points, every space but U+0020, and what else has no ink: fillers, variation selectors. */
const HIDDEN = /(?![\t\n ])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}\u2800]/gu

/** Keeps tabs and newlines. Others become `\u{202E}`. */
export function shownText(text: string): ShownText {
  const shown = text.replace(
    HIDDEN,
    character => `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`,
  )
  return { text: shown, hidden: shown !== text }
}

/** Indented JSON. Its own escapes, such as `\u202e`, stand for hidden characters, so it still parses to the same value. */
export function shownJson(value: unknown): ShownText {
  let hidden = false
  const note = (text: string) => {
    hidden ||= shownText(text).hidden
  }
  const json = JSON.stringify(
    value,
    (key, item: unknown) => {
      note(key)
      if (typeof item === 'string') note(item)
      return item
    },
    2,
  )
  return { text: json.replace(HIDDEN, jsonEscape), hidden }
}

/** Why the parts are too long to show together; null if they aren't. */
export function tooLongToShow(parts: readonly string[]): string | null {
  const characters = parts.reduce((sum, part) => sum + charCount(part), 0)
  const lines = parts.reduce((sum, part) => sum + part.split('\n').length, 0)
  if (characters > SHOWN_CHARACTERS_MAX) return tooLong(characters, 'characters', SHOWN_CHARACTERS_MAX)
  return lines > SHOWN_LINES_MAX ? tooLong(lines, 'lines', SHOWN_LINES_MAX) : null
}

const jsonEscape = (character: string) =>
  character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

const tooLong = (count: number, unit: string, max: number) =>
  `The arguments are too long to show: ${count} ${unit}, at most ${max}`
