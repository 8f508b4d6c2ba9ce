// A property of random values. A failure prints its seed, which SEED repeats, and the smallest value found.
import fc from 'fast-check'

const { SEED, CI } = process.env
const options = SEED === undefined ? {} : { seed: Number(SEED) }

export function forAll<T>(values: fc.Arbitrary<T>, check: (value: T) => void, numRuns = 100): void {
  // A returned false would fail the property.
  const property = fc.property(values, value => void check(value))
  fc.assert(property, { ...options, numRuns })
}

/** In CI, it does not look for a smaller value: each run takes long. */
export async function forAllAsync<T>(
  values: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
  numRuns: number,
): Promise<void> {
  await fc.assert(fc.asyncProperty(values, check), { ...options, numRuns, endOnFailure: CI !== undefined })
}
