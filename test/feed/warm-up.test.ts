// The start goes on if the warm-up fails, so only this test notices that it does.
import { expect, test } from 'vitest'
import { warmUp } from '../../server/warm-up.ts'

test('the warm-up runs to its end and lets other work run meanwhile', async () => {
  let others = 0
  let waiting = setImmediate(function count() {
    others++
    waiting = setImmediate(count)
  })
  await warmUp()
  clearImmediate(waiting)
  expect(others).toBeGreaterThan(0)
})
