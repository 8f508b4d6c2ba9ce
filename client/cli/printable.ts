// Text of cards and people for a terminal: it can't move the cursor, set colours or hide other text.

// Controls, and characters that are invisible or change the direction of the text around them.
const HIDDEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu

/** Line breaks and tabs stay. */
export const printable = (text: string) => text.replace(/\r\n/g, '\n').replace(HIDDEN, escapeHidden)

/** In one line. */
export const printableLine = (text: string) => printable(text).replace(/\s+/g, ' ').trim()

function escapeHidden(character: string): string {
  if (character === '\n' || character === '\t') return character
  return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`
}

const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const widthOfGrapheme = (grapheme: string) => (WIDE.test(grapheme) ? 2 : 1)

/** How many cells of a terminal the text takes. */
export function displayWidth(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment)
  return width
}

/** Text that is too wide ends with `…`. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let fitted = ''
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += widthOfGrapheme(segment)
    if (used > width) break
    fitted += segment
  }
  return `${fitted}…`
}
