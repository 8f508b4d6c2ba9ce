// A property of random values. A failure prints its seed, which SEED repeats, and the smallest value found, which
// SEED_PATH with the printed path repeats alone.
import fc from 'fast-check'

const { SEED, SEED_PATH, CI } = process.env
const options =
  SEED === undefined ? {} : { seed: Number(SEED), ...(SEED_PATH && { path: SEED_PATH, endOnFailure: true }) }

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
  await fc.assert(fc.asyncProperty(values, check), { numRuns, endOnFailure: CI !== undefined, ...options })
}
