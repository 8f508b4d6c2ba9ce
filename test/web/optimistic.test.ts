// Optimistic changes: visible at once, confirmed or rolled back later.
import { createSignal } from 'solid-js'
import { expect, test } from 'vitest'
import { InvalidRequestError } from '../../client/errors.ts'
import { createOptimistic } from '../../web/dashboard/mutation.ts'

/** A string to which letters are appended, and a server that responds when `respond` is called. */
function start(first: string) {
  const [value, setValue] = createSignal(first)
  const { change, add, error } = createOptimistic(value, setValue)
  const requests: { letter: string; respond: (error?: Error) => void }[] = []
  const send = (letter: string) => (confirmed: string) =>
    new Promise<string>((resolve, reject) => {
      requests.push({ letter, respond: error => (error ? reject(error) : resolve(confirmed + letter)) })
    })
  return {
    value,
    setValue,
    error,
    append: (letter: string) => change(before => before + letter, send(letter)),
    appendLater: (letter: string) => add(send(letter)),
    sent: () => requests.map(({ letter }) => letter).join(''),
    /** Responds to the nth request once it was sent. */
    async respond(nth: number, error?: Error): Promise<void> {
      while (requests.length < nth) await Promise.resolve()
      requests[nth - 1]?.respond(error)
    },
  }
}

const rejection = new InvalidRequestError(400, 'no')

test('a change is visible at once and stays when the server confirms it', async () => {
  const { value, append, respond, error } = start('a')
  const done = append('b')
  expect(value()).toBe('ab')
  await respond(1)
  expect(await done).toBe(null)
  expect([value(), error()]).toEqual(['ab', undefined])
})

test('a rejected change is rolled back and reports its error', async () => {
  const { value, append, respond, error } = start('a')
  const done = append('b')
  await respond(1, rejection)
  expect(await done).toBe('no')
  expect([value(), error()]).toEqual(['a', 'no'])
})

test('changes are sent one after another, in their order', async () => {
  const { value, append, respond, sent } = start('')
  const all = [append('a'), append('b'), append('c')]
  expect(value()).toBe('abc')
  for (const count of [1, 2, 3]) {
    await expect.poll(sent).toHaveLength(count)
    await respond(count)
  }
  await Promise.all(all)
  expect([value(), sent()]).toEqual(['abc', 'abc'])
})

test('a rejection rolls back no other change', async () => {
  const { value, append, respond, sent } = start('')
  const all = [append('a'), append('b'), append('c')]
  await respond(1)
  await respond(2, rejection)
  await expect.poll(sent).toBe('abc')
  expect(value()).toBe('ac')
  await respond(3)
  expect(await Promise.all(all)).toEqual([null, 'no', null])
  expect(value()).toBe('ac')
})

test('a bug is rethrown and rolls the change back', async () => {
  const { value, append, respond } = start('a')
  const done = append('b')
  await respond(1, new TypeError('a bug'))
  await expect(done).rejects.toThrow('a bug')
  expect(value()).toBe('a')
  const next = append('c')
  await respond(2)
  expect(await next).toBe(null)
  expect(value()).toBe('ac')
})

test('a rollback returns to a value that was loaded meanwhile', async () => {
  const { value, setValue, append, respond } = start('a')
  setValue('z')
  const done = append('b')
  await respond(1, rejection)
  await done
  expect(value()).toBe('z')
})

test('add waits for its turn and is visible when confirmed', async () => {
  const { value, append, appendLater, respond, sent } = start('')
  const all = [append('a'), appendLater('b'), append('c')]
  expect(value()).toBe('ac')
  await respond(1)
  await expect.poll(sent).toBe('ab')
  expect(value()).toBe('ac')
  await respond(2)
  await respond(3)
  await Promise.all(all)
  expect(value()).toBe('abc')
})

test('a rejected add throws and sets no error', async () => {
  const { value, appendLater, respond, error } = start('a')
  const done = appendLater('b')
  await respond(1, rejection)
  await expect(done).rejects.toThrow('no')
  expect([value(), error()]).toEqual(['a', undefined])
})
