// P8: signatures of deliveries.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Mark } from '../run.ts'
import { CHANNEL, DELIVERED, filesOf, promises, triedOf } from './sample.ts'
import { checkSignatures } from './signatures.ts'

const S = 1_000_000
const [old, next] = ['whsec_b2xk', 'whsec_bmV3']

function check(at_s: number, secrets: string[], marks: Mark[] = []): string[] {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`i.${at_s}.{}`).digest('base64')}`
  })
  const headers = { 'webhook-timestamp': String(at_s), 'webhook-signature': signatures.join(' ') }
  const delivered = [{ at: at_s * S, webhook_id: 'i', path: '/0', headers, body: '{}', complete: true }]
  const tried = [triedOf({ kind: 'rotate', op: 'r' }, [10 * S, 11 * S], 200, { secret: next })]
  const clock = { wall_ms: 0, at: 0 }
  return promises(
    checkSignatures(
      filesOf({ tried, delivered, deliveries: [DELIVERED], secrets: { [CHANNEL]: old }, clock, marks }),
    ),
  )
}

test('a delivery is signed with the secret of its moment, or with both while they change', () => {
  expect(check(5, [old])).toEqual([])
  expect(check(12, [old])).toEqual([])
  expect(check(12, [next])).toEqual([])
  expect(check(30, [next, old])).toEqual([])
})

test('P8: a delivery that is signed with no secret, an old one, or one of later, is a finding', () => {
  expect(check(30, [])).toEqual(['P8'])
  expect(check(30, [old])).toEqual(['P8'])
  expect(check(5, [next])).toEqual(['P8'])
})

test('after lost history, the secret before a forgotten rotation is valid again', () => {
  const loss = (ended_s: number): Mark => ({
    at: 8 * S,
    kind: 'lost history',
    ended: ended_s * S,
    wal: '0/1',
  })
  expect(check(30, [old], [loss(20)])).toEqual([])
  expect(check(30, [old], [loss(9)])).toEqual(['P8'])
})
