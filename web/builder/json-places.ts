// Where each value of a JSON text stands, and where a text stops being JSON. It accepts what JSON.parse accepts.

/** `from` and `to` are offsets into the text. A field's place is that of its value; `name` is where its name begins. */
export type Place = { from: number; to: number; name?: number; fields: Map<string | number, Place> }
export type Scan = { ok: true; root: Place } | { ok: false; at: number; hint: string }

/** A text that nests deeper is no card, and would cost the stack. */
const DEPTH_MAX = 1_000

export function scanJson(text: string): Scan {
  try {
    const scanner = makeScanner(text)
    return { ok: true, root: scanner.document() }
  } catch (error) {
    if (error instanceof Stop) return { ok: false, at: error.at, hint: error.hint }
    throw error
  }
}

/** The place of a field, or of what should hold it: the nearest one that is there. */
export function placeOf(root: Place, path: readonly PropertyKey[]): { place: Place; found: boolean } {
  let place = root
  for (const part of path) {
    const next = typeof part === 'symbol' ? undefined : place.fields.get(part)
    if (!next) return { place, found: false }
    place = next
  }
  return { place, found: true }
}

/** Both from 1, as editors count. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

class Stop extends Error {
  readonly at: number
  readonly hint: string

  constructor(at: number, hint: string) {
    super(hint)
    this.at = at
    this.hint = hint
  }
}

function makeScanner(text: string) {
  let at = 0

  function skipSpace(): void {
    while (/[ \t\n\r]/.test(text.charAt(at))) at++
  }

  function stop(hint: string, where = at): never {
    throw new Stop(where, where >= text.length ? 'The text ends too early' : hint)
  }

  function document(): Place {
    skipSpace()
    const root = value(0)
    skipSpace()
    if (at < text.length) stop('Nothing may follow the end of the card')
    return root
  }

  function value(depth: number): Place {
    if (depth > DEPTH_MAX) stop('This nests too deeply')
    const from = at
    const fields: Place['fields'] = new Map()
    const first = text.charAt(at)
    if (first === '{') object(fields, depth)
    else if (first === '[') array(fields, depth)
    else if (first === '"') string()
    else if (first === "'") stop('Text stands in double quotes')
    else word()
    return { from, to: at, fields }
  }

  function object(fields: Place['fields'], depth: number): void {
    at++
    skipSpace()
    if (text.charAt(at) === '}') {
      at++
      return
    }
    for (;;) {
      if (text.charAt(at) === '}') stop('The comma before this bracket is one too many')
      if (text.charAt(at) !== '"') stop('A name in double quotes is expected here')
      const name = at
      const key: string = JSON.parse(string())
      skipSpace()
      if (text.charAt(at) !== ':') stop('A colon is expected here')
      at++
      skipSpace()
      fields.set(key, { ...value(depth + 1), name })
      if (!another('}')) return
    }
  }

  function array(fields: Place['fields'], depth: number): void {
    at++
    skipSpace()
    if (text.charAt(at) === ']') {
      at++
      return
    }
    for (let i = 0; ; i++) {
      if (text.charAt(at) === ']') stop('The comma before this bracket is one too many')
      fields.set(i, value(depth + 1))
      if (!another(']')) return
    }
  }

  /** Whether a comma leads to one more; else the bracket is behind us. */
  function another(bracket: string): boolean {
    skipSpace()
    const next = text.charAt(at)
    if (next !== ',' && next !== bracket) stop(`A comma or ${bracket} is expected here`)
    at++
    if (next === bracket) return false
    skipSpace()
    return true
  }

  function string(): string {
    const from = at
    for (at++; text.charAt(at) !== '"'; at++) {
      if (at >= text.length) stop('This text has no closing quote', text.length)
      if (text.charAt(at) === '\n') stop('A line break in a text is written \\n')
      if (text.charCodeAt(at) < 0x20) stop('This character has to be escaped')
      if (text.charAt(at) !== '\\') continue
      const escaped = /^\\(["\\/bfnrt]|u[\da-fA-F]{4})/.exec(text.slice(at, at + 6))
      if (!escaped) stop('After a backslash comes one of " \\ / b f n r t u')
      at += escaped[0].length - 1
    }
    at++
    return text.slice(from, at)
  }

  function word(): void {
    const [found = ''] = /^[^\s,:[\]{}"]+/.exec(text.slice(at)) ?? []
    if (found === '') stop('A value is expected here')
    if (!/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(found))
      stop('Not a value of JSON: text stands in double quotes')
    at += found.length
  }

  return { document }
}
