import { expect, test } from 'vitest'
import { zipf } from './zipf.ts'

test('channels have shares proportional to 1, 1/2 and 1/3', () => {
  const pick = zipf(3)
  // Shares of 6/11, 3/11 and 2/11.
  expect([0, 0.54, 0.55, 0.81, 0.82, 0.999].map(pick)).toEqual([0, 0, 1, 1, 2, 2])
})
