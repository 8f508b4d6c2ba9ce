// Characters that no body may carry: NUL, and half a surrogate pair, which JSON can escape and PostgreSQL cannot store.
import { Invalid, type Path } from './invalid.ts'

/** A value of the body and where it stands; the root has no `above`. */
type Spot = { value: unknown; part: string | number; above: Spot | null; depth: number }

/** No field of ours lies deeper, and a name that long would help nobody. */
const NAMED_DEPTH = 16

/** `text` is the body, valid UTF-8, and `root` what it parses to. Throws `Invalid` at the first such string. */
export function refuseBadCharacters(text: string, root: unknown): void {
  // Only an escape can bring them in.
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) walk(root)
}

/** Without recursion, and names only what it refuses: a body may nest as deep as it likes. */
function walk(root: unknown): void {
  const waiting: Spot[] = [{ value: root, part: '', above: null, depth: 0 }]
  for (let spot = waiting.pop(); spot; spot = waiting.pop()) {
    const { value } = spot
    if (typeof value === 'string') refuseBadString(value, spot)
    if (typeof value !== 'object' || value === null) continue
    const below = { above: spot, depth: spot.depth + 1 }
    if (Array.isArray(value)) {
      for (const [part, item] of value.entries()) waiting.push({ value: item, part, ...below })
      continue
    }
    for (const [part, item] of Object.entries(value)) {
      refuseBadString(part, spot)
      waiting.push({ value: item, part, ...below })
    }
  }
}

function refuseBadString(text: string, spot: Spot): void {
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
