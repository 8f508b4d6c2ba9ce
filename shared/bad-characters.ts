// Characters that JSON can escape and PostgreSQL can't store: NUL, and half a surrogate pair.
import { Invalid, type Path } from './invalid.ts'

/** A value of the body with its path; the root has no `above`. */
type Spot = { value: unknown; part: string | number; above: Spot | null; depth: number }

/** Deeper paths are left out of the message: no field of ours is nested deeper. */
const NAMED_DEPTH = 16

/** Throws `Invalid` at the first string with such a character. `text`: the body as valid UTF-8. `root`: the parsed body. */
export function checkCharacters(text: string, root: unknown): void {
  // Valid UTF-8 contains them only as escapes.
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) walk(root)
}

/** Not recursive, and builds a path only for the message: a body may be nested arbitrarily deep. */
function walk(root: unknown): void {
  const waiting: Spot[] = [{ value: root, part: '', above: null, depth: 0 }]
  for (let spot = waiting.pop(); spot; spot = waiting.pop()) {
    const { value } = spot
    if (typeof value === 'string') checkString(value, spot)
    if (typeof value !== 'object' || value === null) continue
    const below = { above: spot, depth: spot.depth + 1 }
    if (Array.isArray(value)) {
      for (const [part, item] of value.entries()) waiting.push({ value: item, part, ...below })
      continue
    }
    for (const [part, item] of Object.entries(value)) {
      checkString(part, spot)
      waiting.push({ value: item, part, ...below })
    }
  }
}

function checkString(text: string, spot: Spot): void {
  const nul = text.includes('\0')
  if (!nul && !/\p{Surrogate}/u.test(text)) return
  const rule = nul ? 'must not contain NUL' : 'must be well-formed Unicode'
  const path = pathOf(spot)
  throw new Invalid(path, path.length === 0 ? `The request body ${rule}` : rule)
}

function pathOf(spot: Spot): Path {
  if (spot.depth > NAMED_DEPTH) return []
  const path: (string | number)[] = []
  for (let at = spot; at.above; at = at.above) path.unshift(at.part)
  return path
}
