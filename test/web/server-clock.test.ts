import { afterEach, expect, test } from 'vitest'
import { noteServerDate, serverNow } from '../../web/lib/server-clock.ts'

const respond = (at: number) =>
  noteServerDate(new Response(null, { headers: { Date: new Date(at).toUTCString() } }))
const ahead = () => Math.round((serverNow() - Date.now()) / 1_000)

afterEach(() => respond(Date.now()))

test('the clock follows the Date of the last response', () => {
  respond(Date.now() + 90_000)
  expect(Math.abs(ahead() - 90)).toBeLessThanOrEqual(1)
  respond(Date.now() - 3_600_000)
  expect(Math.abs(ahead() + 3_600)).toBeLessThanOrEqual(1)
  noteServerDate(new Response(null))
  expect(Math.abs(ahead() + 3_600)).toBeLessThanOrEqual(1)
  // A second of difference is what a slow response makes.
  respond(Date.now() + 1_000)
  expect(ahead()).toBe(0)
})
