import { expect, test } from 'vitest'
import { createTurnstile } from '../../server/auth/turnstile.ts'

function works(count: number) {
  const started: number[] = []
  const finish: (() => void)[] = []
  const work = Array.from({ length: count }, (_, i) => () => {
    started.push(i)
    return new Promise<number>(resolve => {
      finish[i] = () => resolve(i)
    })
  })
  return { started, finish, work }
}

test('no more works run at once than allowed, and the others follow in order', async () => {
  const pass = createTurnstile({ at_once: 2, waiting_max: 10 })
  const { started, finish, work } = works(4)
  const answers = work.map(pass)
  await Promise.resolve()
  expect(started).toEqual([0, 1])
  finish[1]?.()
  await answers[1]
  await expect.poll(() => started).toEqual([0, 1, 2])
  finish[0]?.()
  finish[2]?.()
  await expect.poll(() => started).toEqual([0, 1, 2, 3])
  finish[3]?.()
  expect(await Promise.all(answers)).toEqual([0, 1, 2, 3])
})

test('past the line the answer is 503, at once', async () => {
  const pass = createTurnstile({ at_once: 1, waiting_max: 1 })
  const { finish, work } = works(2)
  const answers = work.map(pass)
  await expect(pass(async () => 'never')).rejects.toMatchObject({ status: 503 })
  finish[0]?.()
  await answers[0]
  await expect.poll(() => finish.length).toBe(2)
  finish[1]?.()
  await answers[1]
  expect(await pass(async () => 'again')).toBe('again')
})

test('a work that fails gives its place back', async () => {
  const pass = createTurnstile({ at_once: 1, waiting_max: 1 })
  await expect(pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await pass(async () => 'next')).toBe('next')
})
