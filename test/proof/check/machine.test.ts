// Bounds in time follow the machine.
import { expect, test } from 'vitest'
import { slownessIn } from './machine.ts'

test('a slow machine stretches bounds while it is slow, and a quick one shortens none', () => {
  const machine = Array.from({ length: 20 }, (_, i) => ({ at: i, slow: i < 10 ? 0.9 : 4 }))
  expect(slownessIn({ machine }, 0, 9)).toBe(1)
  expect(slownessIn({ machine }, 10, 19)).toBe(4)
  expect(slownessIn({ machine: [] }, 0, 9)).toBe(1)
})
