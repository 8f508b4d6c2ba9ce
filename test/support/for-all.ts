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

/**
 * In CI, it does not look for a smaller value: each run takes long. After `limit_ms` it fails with the smallest value so
 * far.
 */
export async function forAllAsync<T>(
  values: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
  numRuns: number,
  limit_ms?: number,
): Promise<void> {
  const limit = limit_ms && { interruptAfterTimeLimit: limit_ms, markInterruptAsFailure: true }
  await fc.assert(fc.asyncProperty(values, check), {
    numRuns,
    endOnFailure: CI !== undefined,
    ...limit,
    ...options,
  })
}
