import { expect, test } from 'vitest'
import type { LogHead } from '../../server/feed/log/log.ts'
import { TailCache } from '../../server/feed/viewers/tail-cache.ts'

const KB = 1024

function headAt(clock: number): LogHead {
  return {
    epoch: 1,
    seq: clock,
    clock,
    client_id: 7,
    generation: 1,
    next_position: 0,
    card_count: 0,
    events_until: null,
  }
}

/** `made` counts the calls of `make`. */
function maker(bytes: number) {
  const made = { count: 0 }
  const make = async () => {
    made.count++
    return { frames: [Buffer.alloc(bytes)], epoch: 1, clock: 100 }
  }
  return { made, make }
}

test('viewers with the same clock share a frame, which counts once', async () => {
  const cache = new TailCache()
  const { made, make } = maker(10 * KB)
  await Promise.all(Array.from({ length: 5 }, () => cache.tail(1, headAt(100), make)))
  expect(made.count).toBe(1)
  expect(cache.bytes).toBe(10 * KB)
  cache.rest(50, headAt(100), () => Buffer.alloc(KB))
  cache.rest(50, headAt(100), () => Buffer.alloc(KB))
  expect(cache.bytes).toBe(11 * KB)
})

test('frames of one channel never take more than 4 MB, for any clocks', async () => {
  const cache = new TailCache()
  const { make } = maker(256 * KB)
  for (let clock = 1; clock <= 200; clock++) {
    await cache.tail(clock, headAt(1_000), make)
    expect(cache.bytes).toBeLessThanOrEqual(4 * KB * KB)
  }
})

test('frames leave memory when the document’s clock rises', async () => {
  const cache = new TailCache()
  const { made, make } = maker(KB)
  await cache.tail(1, headAt(100), make)
  await cache.tail(1, headAt(101), make)
  expect(made.count).toBe(2)
  expect(cache.bytes).toBe(KB)
})

test('a frame that was cleared while it was encoded is not counted', async () => {
  const cache = new TailCache()
  const tail = cache.tail(1, headAt(100), maker(KB).make)
  cache.clear()
  expect(await tail).toMatchObject({ clock: 100 })
  expect(cache.bytes).toBe(0)
})
