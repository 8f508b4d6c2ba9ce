import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const entries = () => new Map<string, string>([['document:1', 'kept']])

/** As a page that is opened anew. */
async function openWith(firstRead: Promise<unknown> | undefined) {
  vi.stubGlobal('window', { firstRead })
  vi.resetModules()
  return import('../../web/data/channel/first-read.ts')
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an entry is given to the first who asks, and to nobody later', async () => {
  const { takeFirst } = await openWith(Promise.resolve(entries()))
  expect(await takeFirst('owner')).toBeUndefined()
  expect(await takeFirst('document:1')).toEqual({ value: 'kept' })
  expect(await takeFirst('document:1')).toBeUndefined()
})

test('what comes too late is asked of the copy itself, and is given to nobody after that', async () => {
  let answer = (_: unknown) => {}
  const { takeFirst } = await openWith(
    new Promise(resolve => {
      answer = resolve
    }),
  )
  const asked = takeFirst('document:1')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await asked).toBeUndefined()
  answer(entries())
  expect(await takeFirst('document:1')).toBeUndefined()
})

test('what was dropped while somebody waits for it is not given', async () => {
  const { takeFirst, dropFirst } = await openWith(Promise.resolve(entries()))
  const asked = takeFirst('document:1')
  dropFirst()
  expect(await asked).toBeUndefined()
})
