// Fuzzy search: scores how well a text matches a few typed letters.

const EXACT = 100
const START = 80
const WORD = 60
const INSIDE = 40
const SCATTERED = 20
/** Scattered letters may span this many times their number; more would match by chance. */
const SPREAD_MAX = 3

/**
 * How well `text` matches `query`: higher is better, null is no match. Every word of the query must be found: whole, at
 * the start of a word, inside a word, or as scattered letters in order whose first begins a word.
 */
export function fuzzyScore(query: string, text: string): number | null {
  const plain = fold(text)
  let sum = 0
  let count = 0
  for (const word of fold(query).split(/\s+/)) {
    if (word === '') continue
    const score = scoreWord(word, plain)
    if (score === null) return null
    sum += score
    count++
  }
  // Of two equal matches, the shorter text is the closer one.
  return count === 0 ? 0 : sum / count - Math.min(plain.length, 100) / 50
}

function scoreWord(word: string, text: string): number | null {
  if (text === word) return EXACT
  if (text.startsWith(word)) return START
  const at = text.indexOf(word)
  if (at < 0) return isScattered(word, text) ? SCATTERED : null
  return wordStarts(text).some(start => text.startsWith(word, start)) ? WORD : INSIDE
}

function isScattered(word: string, text: string): boolean {
  return word.length > 1 && wordStarts(text).some(start => hasInOrder(word, text.slice(start)))
}

function hasInOrder(letters: string, text: string): boolean {
  if (!text.startsWith(letters.charAt(0))) return false
  let at = 0
  for (const letter of letters) {
    const next = text.indexOf(letter, at)
    if (next < 0) return false
    at = next + letter.length
  }
  return at <= letters.length * SPREAD_MAX
}

function wordStarts(text: string): number[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
