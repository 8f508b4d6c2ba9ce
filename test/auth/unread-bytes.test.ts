// Bytes that wait for their readers are limited per receiver and for all, and shared bytes count once.
import { expect, test } from 'vitest'
import { receiverOf, UnreadBytes } from '../../server/auth/unread-bytes.ts'

const MB = 1024 * 1024
const take = (unread: UnreadBytes, receiver: string, bytes: number, part: object = {}) =>
  unread.take(receiver, part, bytes)
const statusOf = (work: () => void) => {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Error && 'status' in error ? error.status : error
  }
}

test('a receiver has room again when it has read', () => {
  const unread = new UnreadBytes({ per_receiver: 10 * MB, in_all: null })
  const [first, second] = [take(unread, 'a', 6 * MB), take(unread, 'a', 4 * MB)]
  expect(statusOf(() => take(unread, 'a', MB))).toBe(429)
  expect(statusOf(() => unread.check('a'))).toBe(429)
  expect(statusOf(() => take(unread, 'b', MB))).toBeNull()
  first()
  // Once for each response, even if it ends twice.
  first()
  expect(unread.bytes).toBe(5 * MB)
  expect(statusOf(() => unread.check('a'))).toBeNull()
  take(unread, 'a', 6 * MB)
  second()
  expect(unread.bytes).toBe(7 * MB)
})

test('responses with the same bytes count once, until the last of them is read', () => {
  const unread = new UnreadBytes({ per_receiver: 10 * MB, in_all: 12 * MB })
  const page = {}
  const responses = ['a', 'a', 'a', 'b'].map(receiver => take(unread, receiver, 8 * MB, page))
  expect(unread.bytes).toBe(8 * MB)
  expect(statusOf(() => take(unread, 'a', 3 * MB))).toBe(429)
  for (const free of responses) free()
  expect(unread.bytes).toBe(0)
  expect(statusOf(() => take(unread, 'a', 3 * MB))).toBeNull()
})

test('the first response may have any size, and small responses always pass', () => {
  const unread = new UnreadBytes({ per_receiver: MB, in_all: MB })
  take(unread, 'a', 50 * MB)
  expect(statusOf(() => take(unread, 'a', 100_000))).toBe(429)
  expect(statusOf(() => take(unread, 'b', 100_000))).toBe(503)
  expect(statusOf(() => take(unread, 'a', 1_000))).toBeNull()
  expect(unread.bytes).toBe(50 * MB)
})

test('a refusal is reported, and lifted limits refuse nothing', () => {
  let refused = 0
  const unread = new UnreadBytes({ per_receiver: MB, in_all: null }, () => refused++)
  take(unread, 'a', MB)
  statusOf(() => take(unread, 'a', MB))
  expect(refused).toBe(1)
  const unlimited = new UnreadBytes({ per_receiver: null, in_all: null })
  for (let i = 0; i < 10; i++) take(unlimited, 'a', 100 * MB)
  unlimited.check('a')
  expect(unlimited.bytes).toBe(1_000 * MB)
})

test('a user and a network address are different receivers', () => {
  expect(receiverOf('x', 'y')).not.toBe(receiverOf(null, 'x'))
  expect(receiverOf('x', 'y')).toBe(receiverOf('x', 'z'))
})
