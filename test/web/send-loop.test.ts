import { afterEach, expect, test, vi } from 'vitest'
import { makeSendLoop } from '../../web/data/outbox/send-loop.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a wake during a run that fails starts another run', async () => {
  // A browser without locks.
  vi.stubGlobal('navigator', {})
  let runs = 0
  const { wake } = makeSendLoop({
    async refresh() {
      runs++
      if (runs > 1) return
      wake()
      throw new Error('the storage failed')
    },
    interactions: () => [],
    setProgress: async () => {},
  })
  await expect(wake()).rejects.toThrow('the storage failed')
  await expect.poll(() => runs).toBe(2)
})
