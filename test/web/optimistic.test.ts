// A value shown as changed before the server has said so.
import { createSignal } from 'solid-js'
import { expect, test } from 'vitest'
import { InvalidRequestError } from '../../client/errors.ts'
import { createOptimistic } from '../../web/dashboard/deed.ts'

/** A server that answers when it is told to. */
function start(first: string) {
  const [value, setValue] = createSignal(first)
  const { change, add: addLater, reason } = createOptimistic(value, setValue)
  const asked: { letter: string; answer: (error?: Error) => void }[] = []
  const add = (letter: string) =>
    change(
      before => before + letter,
      confirmed =>
        new Promise((resolve, reject) => {
          asked.push({ letter, answer: error => (error ? reject(error) : resolve(confirmed + letter)) })
        }),
    )
  const later = (letter: string) =>
    addLater(
      confirmed =>
        new Promise((resolve, reject) => {
          asked.push({ letter, answer: error => (error ? reject(error) : resolve(confirmed + letter)) })
        }),
    )
  const letters = () => asked.map(({ letter }) => letter).join('')
  const reach = async (count: number) => {
    while (asked.length < count) await Promise.resolve()
    return asked[count - 1]
  }
  return { value, setValue, reason, add, later, letters, reach }
}

test('a change is shown at once, and then as the server has it', async () => {
  const { value, add, reach, reason } = start('a')
  const done = add('b')
  expect(value()).toBe('ab')
  ;(await reach(1))?.answer()
  expect(await done).toBe(null)
  expect([value(), reason()]).toEqual(['ab', undefined])
})

test('one that is refused is taken back, with the reason', async () => {
  const { value, add, reach, reason } = start('a')
  const done = add('b')
  ;(await reach(1))?.answer(new InvalidRequestError(400, 'no'))
  expect(await done).toBe('no')
  expect([value(), reason()]).toEqual(['a', 'no'])
})

test('changes are sent one after another, in the order in which they were made', async () => {
  const { value, add, reach, letters } = start('')
  const all = [add('a'), add('b'), add('c')]
  expect(value()).toBe('abc')
  for (const count of [1, 2, 3]) {
    const next = await reach(count)
    expect(letters()).toHaveLength(count)
    next?.answer()
  }
  await Promise.all(all)
  expect([value(), letters()]).toEqual(['abc', 'abc'])
})

test('of several only the refused one is taken back', async () => {
  const { value, add, reach } = start('')
  const all = [add('a'), add('b'), add('c')]
  ;(await reach(1))?.answer()
  ;(await reach(2))?.answer(new InvalidRequestError(400, 'no'))
  const last = await reach(3)
  expect(value()).toBe('ac')
  last?.answer()
  expect(await Promise.all(all)).toEqual([null, 'no', null])
  expect(value()).toBe('ac')
})

test('a fault of ours is thrown on, and what is shown is what the server has', async () => {
  const { value, add, reach } = start('a')
  const done = add('b')
  ;(await reach(1))?.answer(new TypeError('a fault'))
  await expect(done).rejects.toThrow('a fault')
  expect(value()).toBe('a')
  const next = add('c')
  ;(await reach(2))?.answer()
  expect(await next).toBe(null)
  expect(value()).toBe('ac')
})

test('what came by another way while nothing was under way is what a refusal goes back to', async () => {
  const { value, setValue, add, reach } = start('a')
  setValue('z')
  const done = add('b')
  ;(await reach(1))?.answer(new InvalidRequestError(400, 'no'))
  await done
  expect(value()).toBe('z')
})

test('what is added while changes are under way waits for its turn, stays, and is shown once it is so', async () => {
  const { value, add, later, reach, letters } = start('')
  const all = [add('a'), later('b'), add('c')]
  expect(value()).toBe('ac')
  ;(await reach(1))?.answer()
  const second = await reach(2)
  expect([value(), letters()]).toEqual(['ac', 'ab'])
  second?.answer()
  ;(await reach(3))?.answer()
  await Promise.all(all)
  expect(value()).toBe('abc')
})

test('an addition that is refused throws, and is no reason of the others', async () => {
  const { value, later, reach, reason } = start('a')
  const done = later('b')
  ;(await reach(1))?.answer(new InvalidRequestError(400, 'no'))
  await expect(done).rejects.toThrow('no')
  expect([value(), reason()]).toEqual(['a', undefined])
})
