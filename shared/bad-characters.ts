// Rejects characters that JSON can contain and PostgreSQL can't store: NUL and lone surrogates.
import { Invalid, type Path } from './invalid.ts'

/** A value in the body. `key`: its field or index in `parent`. */
type Item = { value: unknown; key: string | number; parent: Item | null; depth: number }

/** Messages don't give the paths of values that are nested deeper. */
const PATH_DEPTH_MAX = 16

/** Throws `Invalid`. `text`: the JSON of `root`. Decoded from UTF-8, it contains these characters only as escapes. */
export function rejectBadCharacters(text: string, root: unknown): void {
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) walk(root)
}

function walk(root: unknown): void {
  const waiting: Item[] = [{ value: root, key: '', parent: null, depth: 0 }]
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const { value } = item
    if (typeof value === 'string') checkString(value, item)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (typeof key === 'string') checkString(key, item)
      waiting.push({ value: child, key, parent: item, depth: item.depth + 1 })
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
  if (item.depth > PATH_DEPTH_MAX) return path
  for (let at = item; at.parent; at = at.parent) path.unshift(at.key)
  return path
}
