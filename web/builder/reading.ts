// Reads the JSON of a card as the API does: the same checks in the same order, the same words, and where each belongs.
import { refuseBadCharacters } from '../../shared/bad-characters.ts'
import { createCardBody } from '../../shared/card.ts'
import { Invalid, type Path, refusals } from '../../shared/invalid.ts'
import { BODY_MAX_BYTES } from '../../shared/limits.ts'
import { lineAndColumn, type Place, placeOf, scanJson } from './json-places.ts'

export type Problem = {
  /** What the API answers. */
  message: string
  /** The message without the field's name. */
  rule: string
  /** What helps and the API does not say. */
  hint: string | null
  path: Path
  from: number
  to: number
  line: number
  column: number
}

export type Reading =
  | { state: 'readable'; value: unknown; problems: Problem[] }
  /** No JSON at all. */
  | { state: 'malformed'; problems: [Problem] }

/** The first problem is the one that the API would tell. */
export function readCard(given: string): Reading {
  // The API skips a byte order mark; here a space stands for it, so that every place stays where it is.
  const text = given.replace(/^\ufeff/, ' ')
  const scan = scanJson(text)
  if (!scan.ok) {
    const range = { from: scan.at, to: Math.min(scan.at + 1, text.length) }
    return {
      state: 'malformed',
      problems: [problemAt(text, range, new Invalid([], 'Invalid JSON'), scan.hint)],
    }
  }
  const value: unknown = JSON.parse(text)
  return {
    state: 'readable',
    value,
    problems: whatIsWrong(text, value).map(wrong =>
      problemAt(text, rangeOf(scan.root, wrong.path), wrong, null),
    ),
  }
}

/** In the order of the API: the size, the characters, the fields. */
function whatIsWrong(text: string, value: unknown): Invalid[] {
  if (sizeOf(value) > BODY_MAX_BYTES) return [new Invalid([], 'Request body too large')]
  try {
    refuseBadCharacters(text, value)
  } catch (error) {
    if (error instanceof Invalid) return [error]
    throw error
  }
  return refusals(createCardBody, value)
}

/** In bytes, as it is sent. */
const sizeOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** A field's value; of a missing field the beginning of what should hold it. */
function rangeOf(root: Place, path: Path): { from: number; to: number } {
  const { place, found } = placeOf(root, path)
  return found && path.length > 0 ? place : { from: place.from, to: Math.min(place.from + 1, place.to) }
}

function problemAt(
  text: string,
  { from, to }: { from: number; to: number },
  { message, rule, path }: Invalid,
  hint: string | null,
): Problem {
  return { message, rule, hint, path, from, to, ...lineAndColumn(text, from) }
}
