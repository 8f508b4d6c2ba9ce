// P8: a receiver can verify each delivery with the channel's secret of that moment, also while the secret is rotated.
import { createHmac } from 'node:crypto'
import type { Delivered } from '../load/receiver.ts'
import type { Files, Finding } from './files.ts'
import { operationsOf } from './operations.ts'
import { hasOddClocks, wallAt } from './questions.ts'

/** A delivery is signed with the secrets that it was claimed with, a little earlier. */
const CLAIMED_MS = 6_000
/** `webhook-timestamp` counts whole seconds. */
const WHOLE_MS = 1_000

/** `until`: when the next one was known. `secret`: null if its answer was lost. */
type Period = { secret: string | null; from: number; until: number }

export function checkSignatures(files: Files): Finding[] {
  const { tried, deliveries, delivered, secrets, clock, marks } = files
  if (!secrets || !clock || hasOddClocks(files)) return []
  const rotations = operationsOf(tried).filter(({ request }) => request.kind === 'rotate')
  const lastLoss = Math.max(0, ...marks.flatMap(mark => (mark.kind === 'lost history' ? [mark.ended] : [])))
  const channels = new Map(deliveries.map(({ interaction_id, channel_id }) => [interaction_id, channel_id]))
  const periods = new Map(
    Object.entries(secrets).map(([channel_id, first]): [string, Period[]] => {
      const all: Period[] = [{ secret: first, from: 0, until: Infinity }]
      for (const { channel_id: of, begin, end, answer } of rotations) {
        if (of !== channel_id || (answer && answer.status !== 200)) continue
        // A database that lost history may have forgotten the rotation: the earlier secrets are valid again.
        const is_kept = begin > lastLoss
        if (is_kept) for (const period of all) period.until = Math.min(period.until, wallAt(end, clock))
        all.push({ secret: secretIn(answer?.body), from: wallAt(begin, clock), until: Infinity })
      }
      return [channel_id, all]
    }),
  )
  return delivered.flatMap(one => {
    const all = periods.get(channels.get(one.webhook_id) ?? '')
    if (!all || !one.complete || !one.headers) return []
    const at = 1_000 * Number(one.headers['webhook-timestamp'])
    const valid = all.filter(({ from, until }) => from <= at + WHOLE_MS && until >= at - CLAIMED_MS)
    if (valid.some(({ secret }) => secret === null || verifies(one, secret))) return []
    const message = `the delivery ${one.webhook_id} isn't signed with a secret of that moment (${one.headers['webhook-timestamp']})`
    return [{ promise: 'P8', message }]
  })
}

function verifies({ headers, webhook_id, body }: Delivered, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${webhook_id}.${headers?.['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers?.['webhook-signature'] ?? '')
    .split(' ')
    .includes(expected)
}

const secretIn = (body: unknown): string | null =>
  typeof body === 'object' && body !== null && 'secret' in body ? String(body.secret) : null
