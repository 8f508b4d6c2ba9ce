// How long the page waits for a storage.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeAnswers } from '../../web/data/local-copy/answers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a storage that is silent is waited for once, and used again when it answers', async () => {
  const { onAnswer, inTime } = makeAnswers()
  const never = new Promise<string>(() => undefined)
  const first = inTime(never)
  await vi.advanceTimersByTimeAsync(1_010)
  expect(await Promise.race([first, 'still waiting'])).toBeUndefined()
  const second = inTime(never)
  await vi.advanceTimersByTimeAsync(10)
  expect(await Promise.race([second, 'still waiting'])).toBeUndefined()

  onAnswer()
  const slow = inTime(new Promise(resolve => setTimeout(resolve, 5_000, 'late')))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await slow).toBe('late')
})
