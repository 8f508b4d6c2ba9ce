// Entries that start.js read before the app loaded.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const entries = () => new Map<string, string>([['document:1', 'saved']])

/** A page that was just loaded. */
async function openWith(earlyRead: Promise<unknown>) {
  vi.stubGlobal('window', { earlyRead })
  vi.resetModules()
  return import('../../web/data/local-copy/early-read.ts')
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an entry is given out once', async () => {
  const { takeEarlyRead } = await openWith(Promise.resolve(entries()))
  expect(await takeEarlyRead('owner')).toBeUndefined()
  expect(await takeEarlyRead('document:1')).toEqual({ value: 'saved' })
  expect(await takeEarlyRead('document:1')).toBeUndefined()
})

test('a read that takes over a second is ignored, even when it arrives', async () => {
  let arrive = (_: unknown) => {}
  const read = new Promise(resolve => {
    arrive = resolve
  })
  const { takeEarlyRead } = await openWith(read)
  const taken = takeEarlyRead('document:1')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await taken).toBeUndefined()
  arrive(entries())
  expect(await takeEarlyRead('document:1')).toBeUndefined()
})

test('entries dropped during a request are not given out', async () => {
  const { takeEarlyRead, dropEarlyRead } = await openWith(Promise.resolve(entries()))
  const taken = takeEarlyRead('document:1')
  dropEarlyRead()
  expect(await taken).toBeUndefined()
})
