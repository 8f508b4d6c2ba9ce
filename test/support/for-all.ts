// A property of random values. A failure prints its seed and the smallest value found.
import fc from 'fast-check'

export function forAll<T>(values: fc.Arbitrary<T>, check: (value: T) => void, numRuns = 100): void {
  // A returned false would fail the property.
  const property = fc.property(values, value => void check(value))
  fc.assert(property, { numRuns })
}
