// Measures how a function's time grows with its input: compares one long input with eight short ones that
// have the same total length.

const PARTS = 8
const ROUNDS = 5
/** Garbage collection and other programs disturb shorter times. Quadratic work takes far longer. */
const NOISE_MS = 25

/**
 * How many times longer one input of `length` takes than eight of an eighth: about 1 for linear work, about 8 for
 * quadratic work. The best of several rounds counts, so it hardly matters what else the machine does.
 */
export function growth(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  length: number,
): number {
  const long = textOf(length)
  const short = textOf(length / PARTS)
  let once = Number.POSITIVE_INFINITY
  let inParts = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    for (let part = 0; part < PARTS; part++) work(short)
    const between = performance.now()
    work(long)
    const ended = performance.now()
    inParts = Math.min(inParts, between - began)
    once = Math.min(once, ended - between)
    if (once < NOISE_MS) break
  }
  return once / Math.max(inParts, NOISE_MS)
}
