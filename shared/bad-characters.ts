// Rejects characters that JSON can contain and PostgreSQL can't store: NUL and lone surrogates.
import { Invalid, type Path } from './invalid.ts'

/** A value in the body. `name`: its field or index in `parent`. */
type Item = { value: unknown; name: string | number; parent: Item | null; depth: number }

const NAMED_DEPTH = 16

/** Throws `Invalid`. `text`: the body as valid UTF-8, which contains such characters only as escapes. */
export function checkCharacters(text: string, root: unknown): void {
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) walk(root)
}

/** Not recursive, because a body may be nested arbitrarily deep. */
function walk(root: unknown): void {
  const waiting: Item[] = [{ value: root, name: '', parent: null, depth: 0 }]
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const { value } = item
    if (typeof value === 'string') checkString(value, item)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (typeof name === 'string') checkString(name, item)
      waiting.push({ value: child, name, parent: item, depth: item.depth + 1 })
    }
  }
}

function checkString(text: string, item: Item): void {
  const nul = text.includes('\0')
  if (!nul && !/\p{Surrogate}/u.test(text)) return
  const rule = nul ? 'must not contain NUL' : 'must be well-formed Unicode'
  const path = pathOf(item)
  throw new Invalid(path, path.length === 0 ? `The request body ${rule}` : rule)
}

function pathOf(item: Item): Path {
  const path: (string | number)[] = []
  if (item.depth > NAMED_DEPTH) return path
  for (let at = item; at.parent; at = at.parent) path.unshift(at.name)
  return path
}
