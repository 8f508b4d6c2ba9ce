// Cuts JSON and code into names, strings and the rest, so that each can have a colour. Pure.

type Part = { text: string; kind?: 'name' | 'string' }

/** Longer texts would need too many elements. */
const COLOURED_MAX = 20_000

/** Text that isn't JSON is one part. */
export function jsonParts(text: string): Part[] {
  return /^\s*[[{]/.test(text) ? codeParts(text) : [{ text }]
}

/** Strings are in double quotes, as those of JSON. */
export function codeParts(text: string): Part[] {
  if (text.length > COLOURED_MAX) return [{ text }]
  const parts: Part[] = []
  let from = 0
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', from)) {
    const end = endOfString(text, quote)
    const kind = text[end] === ':' ? 'name' : 'string'
    parts.push({ text: text.slice(from, quote) }, { text: text.slice(quote, end), kind })
    from = end
  }
  return [...parts, { text: text.slice(from) }]
}

function endOfString(text: string, quote: number): number {
  let end = quote + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}
