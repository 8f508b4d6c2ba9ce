// Measures how a function's time grows with its input: compares one long input with eight short ones that
// have the same total length.

const PARTS = 8
const ROUNDS = 5
/** Garbage collection disturbs shorter times. Quadratic work takes far longer. */
const NOISE_MS = 25
/** Of the processor, which other programs hardly change. */
const cpuMs = () => process.cpuUsage().user / 1_000

/**
 * How many times longer one input of `length` takes than eight of an eighth: about 1 for linear work, about 8 for
 * quadratic work. The best of several rounds counts.
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
    const began = cpuMs()
    for (let part = 0; part < PARTS; part++) work(short)
    const between = cpuMs()
    work(long)
    const ended = cpuMs()
    inParts = Math.min(inParts, between - began)
    once = Math.min(once, ended - between)
    if (once < NOISE_MS) break
  }
  return once / Math.max(inParts, NOISE_MS)
}
