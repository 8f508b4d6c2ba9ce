// What follows when a socket closes, for every close code that the server uses.
import { expect, test } from 'vitest'
import * as codes from '../../shared/close-codes.ts'
import { type AfterClose, accessRefusal, afterClose, delayFor } from '../../web/lib/reconnect.ts'

const table: Record<keyof typeof codes, AfterClose> = {
  CLOSE_SIGNED_OUT: { next: 'retry', delay_ms: 0 },
  CLOSE_FORBIDDEN: { next: 'refused', refusal: 'forbidden' },
  CLOSE_DELETED: { next: 'refused', refusal: 'missing' },
  CLOSE_LOST_TIMELINE: { next: 'start-over', delay_ms: 0 },
  CLOSE_TRY_AGAIN: { next: 'retry', delay_ms: 300 },
  CLOSE_GOING_AWAY: { next: 'retry', delay_ms: 300 },
  CLOSE_RESTART: { next: 'retry', delay_ms: 1_500 },
  CLOSE_POLICY: { next: 'retry', delay_ms: 300 },
  CLOSE_INTERNAL_ERROR: { next: 'retry', delay_ms: 300 },
}

test.each(Object.entries(table))('the close code %s decides what follows', (name, expected) => {
  const code = Object.entries(codes).find(([key]) => key === name)?.[1] ?? 0
  expect(afterClose(code, 0, 0.5)).toEqual(expected)
})

test('an unknown close code leads to a retry', () => {
  expect(afterClose(1006, 2, 0.5)).toEqual({ next: 'retry', delay_ms: 1_200 })
})

test('repeated restarts lead to longer pauses', () => {
  expect(afterClose(codes.CLOSE_RESTART, 0, 1)).toEqual({ next: 'retry', delay_ms: 3_000 })
  expect(afterClose(codes.CLOSE_RESTART, 4, 0.5)).toEqual({ next: 'retry', delay_ms: 4_800 })
})

test('repeatedly lost history leads to a pause before the next try', () => {
  expect(afterClose(codes.CLOSE_LOST_TIMELINE, 3, 0.5)).toEqual({ next: 'start-over', delay_ms: 2_400 })
})

test('delays double up to a limit, plus or minus half', () => {
  expect([0, 1, 2, 3, 50].map(failures => delayFor(failures, 0.5))).toEqual([300, 600, 1_200, 2_400, 8_000])
  expect([delayFor(0, 0), delayFor(0, 1)]).toEqual([150, 450])
})

test.each([
  [401, 'unauthorized', 'signed-out'],
  [401, undefined, 'signed-out'],
  [401, 'password_required', 'password'],
  [403, 'access_denied', 'forbidden'],
  [404, 'channel_not_found', 'missing'],
  [429, 'too_many_connections', null],
  [500, 'internal_error', null],
])('the response %d %s tells why access is refused', (status, code, expected) => {
  expect(accessRefusal({ status, code })).toBe(expected)
})
