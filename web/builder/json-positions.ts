// Finds the position of each value in a JSON text, or of the first syntax error. Accepts the same texts as JSON.parse.
import { printParseErrorCode, visit } from 'jsonc-parser'

export type TextRange = { from: number; to: number }
/** `fields` are the properties of an object or the items of an array. */
export type Position = TextRange & { fields: Map<string | number, Position> }
export type Scan = { ok: true; root: Position } | { ok: false; at: number; hint: string }

/** The parser is recursive: a deeper text could overflow the stack. No card is that deep. */
const DEPTH_MAX = 1_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be escaped
const VALID_STRING_START = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y
const IN_STRING = ['UnexpectedEndOfString', 'InvalidCharacter', 'InvalidEscapeCharacter', 'InvalidUnicode']
const HINTS: Record<string, string> = {
  ValueExpected: 'A value is expected here',
  ColonExpected: 'A colon is expected here',
  EndOfFileExpected: 'Nothing may follow the end of the card',
}

/** Leaves the parser at the first error. */
class SyntaxFault extends Error {
  readonly at: number

  constructor(at: number, hint: string) {
    super(hint)
    this.at = at
  }
}

export function scanJson(text: string): Scan {
  try {
    return { ok: true, root: findPositions(text) }
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error
    const hint = error.at >= text.length ? 'The text ends too early' : error.message
    return { ok: false, at: error.at, hint }
  }
}

function findPositions(text: string): Position {
  const root = { ...makePosition(0, text.length), next: 0 as string | number }
  /** The open objects and arrays. `next` is the property or index of the next value. */
  const open = [root]
  const current = () => open.at(-1) ?? root

  function add<P extends Position>(position: P): P {
    const parent = current()
    parent.fields.set(parent.next, position)
    if (typeof parent.next === 'number') parent.next++
    return position
  }

  function begin(offset: number, next: string | number): void {
    if (open.length > DEPTH_MAX) throw new SyntaxFault(offset, 'Too many levels of nesting')
    open.push(add({ ...makePosition(offset, 0), next }))
  }

  function end(offset: number, length: number): void {
    current().to = offset + length
    open.pop()
  }

  const visitor = {
    onObjectBegin: (offset: number) => begin(offset, ''),
    onArrayBegin: (offset: number) => begin(offset, 0),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(name: string) {
      current().next = name
    },
    onLiteralValue: (_: unknown, offset: number, length: number) => add(makePosition(offset, length)),
    onError(code: number, offset: number) {
      const inArray = open.length > 1 && typeof current().next === 'number'
      throw faultAt(text, offset, printParseErrorCode(code), inArray)
    },
  }
  visit(text, visitor, { disallowComments: true })
  return root.fields.get(0) ?? root
}

const makePosition = (from: number, length: number): Position => ({
  from,
  to: from + length,
  fields: new Map(),
})

function faultAt(text: string, at: number, code: string, inArray: boolean): SyntaxFault {
  if (IN_STRING.includes(code)) return stringFault(text, at)
  const before = text.slice(0, at).trimEnd().at(-1)
  if (before === ',' && /[}\]]/.test(text.charAt(at)))
    return new SyntaxFault(at, 'Remove the comma before this bracket')
  if (code === 'CommaExpected')
    return new SyntaxFault(at, `A comma or ${inArray ? ']' : '}'} is expected here`)
  if (!inArray && (before === '{' || before === ','))
    return new SyntaxFault(at, 'A name in double quotes is expected here')
  return new SyntaxFault(at, HINTS[code] ?? 'Not a JSON value. Text needs double quotes')
}

/** The parser reports the start of the string; people need the invalid character. */
function stringFault(text: string, start: number): SyntaxFault {
  VALID_STRING_START.lastIndex = start
  const at = start + (VALID_STRING_START.exec(text)?.[0].length ?? 0)
  const char = text.charAt(at)
  if (char === '\n') return new SyntaxFault(at, 'Write a line break in text as \\n')
  if (char === '\\') return new SyntaxFault(at, 'Use one of " \\ / b f n r t u after a backslash')
  return new SyntaxFault(at, 'Escape this character')
}
