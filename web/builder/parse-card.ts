// Checks the JSON of a card as the API does, with the same messages in the same order, and finds each problem in the text.
import { rejectBadCharacters } from '../../shared/bad-characters.ts'
import { createCardBody } from '../../shared/card.ts'
import { Invalid, type Path, validationErrors } from '../../shared/invalid.ts'
import { BODY_MAX_BYTES } from '../../shared/limits.ts'
import { type Position, scanJson, type TextRange } from './json-positions.ts'

export type Problem = TextRange & {
  message: string
  /** The message without the field's name. */
  rule: string
  /** The API doesn't send it. */
  hint: string | null
  path: Path
  /** Both count from 1. */
  line: number
  column: number
}

export type ParsedCard =
  | { state: 'readable'; value: unknown; problems: Problem[] }
  | { state: 'malformed'; problems: [Problem] }

/** The API reports only the first of the problems. */
export function parseCard(given: string): ParsedCard {
  // The API skips a byte order mark; a space instead of it keeps every offset.
  const text = given.replace(/^\ufeff/, ' ')
  const scan = scanJson(text)
  if (!scan.ok) {
    const range = { from: scan.at, to: Math.min(scan.at + 1, text.length) }
    const problem = problemAt(text, range, new Invalid([], 'Invalid JSON'), scan.hint)
    return { state: 'malformed', problems: [problem] }
  }
  const value: unknown = JSON.parse(text)
  const problems = validate(text, value).map(invalid =>
    problemAt(text, rangeOf(scan.root, invalid.path), invalid, null),
  )
  return { state: 'readable', value, problems }
}

function validate(text: string, value: unknown): Invalid[] {
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length
  if (bytes > BODY_MAX_BYTES) return [new Invalid([], 'Request body too large')]
  try {
    rejectBadCharacters(text, value)
  } catch (error) {
    if (error instanceof Invalid) return [error]
    throw error
  }
  return validationErrors(createCardBody, value)
}

/** A missing field has the range of the first character of the object around it. */
function rangeOf(root: Position, path: Path): TextRange {
  let position = root
  for (const part of path) {
    const field = typeof part === 'symbol' ? undefined : position.fields.get(part)
    if (!field) return firstCharacter(position)
    position = field
  }
  return path.length > 0 ? position : firstCharacter(root)
}

const firstCharacter = ({ from, to }: Position) => ({ from, to: Math.min(from + 1, to) })

function problemAt(
  text: string,
  { from, to }: TextRange,
  { message, rule, path }: Invalid,
  hint: string | null,
): Problem {
  const lines = text.slice(0, from).split('\n')
  const column = (lines.at(-1) ?? '').length + 1
  return { message, rule, hint, path, from, to, line: lines.length, column }
}
