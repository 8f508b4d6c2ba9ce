// String schemas. Lengths count characters (Unicode code points), not UTF-16 units.
import { z } from 'zod'
import { charCount, isHttpUrl } from './characters.ts'
import { REQUIRED } from './invalid.ts'

export { charCount, isHttpUrl }

export const uuid = z.string().meta({ format: 'uuid' })
/** ISO 8601 in UTC with milliseconds: `2026-01-31T12:00:00.000Z`. */
export const timestamp = z.string().meta({ format: 'date-time' })

/** Counts only strings that are long in UTF-16. */
function atMost(schema: z.ZodString, max: number) {
  return schema
    .refine(value => value.length <= max || charCount(value) <= max, `must be at most ${max} characters`)
    .meta({ maxLength: max })
}

export const text = (max: number) => atMost(z.string(), max)

/** An empty string counts as missing. */
export const requiredText = (max: number) => atMost(z.string().min(1, REQUIRED), max)

export const nameText = (max: number) => atMost(z.string().trim().min(1, REQUIRED), max)

export const httpUrl = (max: number) =>
  text(max).refine(isHttpUrl, 'must be a valid HTTP or HTTPS URL').meta({ format: 'uri', maxLength: max })

/** An empty string counts as missing. */
export const requiredHttpUrl = (max: number) =>
  z.string().min(1, { error: REQUIRED, abort: true }).pipe(httpUrl(max))

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// UTS #51: a picture, with an optional skin tone or regional flag tags. Several pictures may be joined.
const picture =
  '(?!\\p{RI})(?:\\p{Extended_Pictographic}|\\p{Emoji_Presentation})(?:\\uFE0F|\\p{EMod})?(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?'
const emojiSequence = new RegExp(
  `^(?:\\p{RI}\\p{RI}|[0-9#*]\\uFE0F?\\u20E3|${picture}(?:\\u200D${picture})*)$`,
  'u',
)

/** Flags, skin tones and joined sequences count as one emoji. */
export function isSingleEmoji(value: string): boolean {
  if (value.length === 0 || value.length > 64) return false
  const clusters = graphemes.segment(value)[Symbol.iterator]()
  if (clusters.next().done || !clusters.next().done) return false
  return emojiSequence.test(value)
}

export const emoji = z.string().refine(isSingleEmoji, 'must be a single emoji').describe('A single emoji.')

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** In lower case; null for anything else. */
export const normalUuid = (id: string | null | undefined): string | null =>
  typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : null
