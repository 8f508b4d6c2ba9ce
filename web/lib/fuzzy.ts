// Fuzzy search: scores how well a text matches a few typed letters.
import { fold } from './folded-text.ts'

const EXACT = 100
const START = 80
const WORD = 60
const INSIDE = 40
const SCATTERED = 20
/** Scattered letters may span this many times their number. A longer span would match by chance. */
const SPREAD_MAX = 3

/** Higher is better, null is no match. Every word of the query must match, if only as scattered letters in order. */
export function fuzzyScore(query: string, text: string): number | null {
  const plain = fold(text)
  const words = fold(query).match(/\S+/g) ?? []
  let sum = 0
  for (const word of words) {
    const score = scoreWord(word, plain)
    if (score === null) return null
    sum += score
  }
  // Of two equal matches, the shorter text is the better one.
  return words.length === 0 ? 0 : sum / words.length - Math.min(plain.length, 100) / 50
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

const wordStarts = (text: string) => [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)
