import { expect, test } from 'vitest'
import { RecentUpdates } from '../../server/feed/log/recent-updates.ts'

const KB = 1024

test('recent updates never take more than 256 KB, even if one update is larger', () => {
  const recent = new RecentUpdates()
  const sizes = [1, 1, 300, 1, 200, 100, 1, 250].map(size => size * KB)
  for (const [i, size] of sizes.entries()) {
    recent.push(i, new Uint8Array(size))
    expect(recent.bytes).toBeLessThanOrEqual(256 * KB)
  }
  expect(recent.since(7)?.map(({ length }) => length)).toEqual([250 * KB])
  expect(recent.since(0)).toBeNull()
})
