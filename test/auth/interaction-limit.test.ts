import { beforeEach, expect, test } from 'vitest'
import {
  createInteractionLimit,
  type InteractionLimit,
  type Sender,
  type SentInteraction,
} from '../../server/auth/interaction-limit.ts'
import { ApiError } from '../../server/errors.ts'

let now: number
let limit: InteractionLimit
beforeEach(() => {
  now = 0
  limit = createInteractionLimit(2, () => now)
})

const anyone = (address: string, channel_id = 'channel'): Sender => ({ channel_id, user_id: null, address })
const ann: Sender = { channel_id: 'channel', user_id: 'ann', address: '192.0.2.1' }

/** The error, or null if the interaction was counted. */
function take(
  sender: Sender,
  sent: SentInteraction = { trigger: {} },
): { message: string; retry_after: string | undefined } | null {
  try {
    limit.begin(sender)
    limit.count(sender, sent)
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { message: error.message, retry_after: error.headers['Retry-After'] }
  }
}

const limitedFor = (retry_after: string) => ({ message: 'Too many actions', retry_after })

test('a user may send up to the limit per minute, in all channels together', () => {
  expect([take(ann), take({ ...ann, channel_id: 'other' })]).toEqual([null, null])
  expect(take(ann)).toEqual(limitedFor('30'))
  now = 30_000
  expect(take(ann)).toBe(null)
})

test('a user and their network address have separate limits', () => {
  for (const sender of [ann, ann, anyone(ann.address), anyone(ann.address)]) expect(take(sender)).toBe(null)
  expect([take(ann), take(anyone(ann.address))]).toEqual([limitedFor('30'), limitedFor('30')])
})

test('a channel accepts five times the limit from anonymous viewers', () => {
  for (let i = 0; i < 10; i++) expect(take(anyone(`192.0.2.${i}`))).toBe(null)
  expect(take(anyone('192.0.2.10'))).toEqual(limitedFor('6'))
  expect(take(anyone('192.0.2.11', 'other'))).toBe(null)
  expect(take(ann)).toBe(null)
})

test('a sender over the limit uses up nothing of the channel’s limit', () => {
  for (let i = 0; i < 20; i++) take(anyone('192.0.2.1'))
  for (let i = 2; i < 6; i++)
    for (let twice = 0; twice < 2; twice++) expect(take(anyone(`192.0.2.${i}`))).toBe(null)
})

test('a limit of null lifts both limits', () => {
  limit = createInteractionLimit(null)
  for (let i = 0; i < 10_000; i++) take(ann)
})

/** `values` that take this many bytes as JSON. */
const valuesOf = (bytes: number) => ({ note: 'x'.repeat(bytes - 11) })
const trigger = { type: 'click' }
const TRIGGER_BYTES = 16

test('each started 4 KiB of trigger and values counts as one interaction', () => {
  limit = createInteractionLimit(8, () => now)
  expect(take(ann, { trigger, values: valuesOf(4_096 - TRIGGER_BYTES) })).toBe(null)
  expect(take(ann, { trigger, values: valuesOf(4_097 - TRIGGER_BYTES) })).toBe(null)
  expect(take(ann, { trigger: { text: 'ü'.repeat(4_096) }, values: {} })).toBe(null)
  expect(take(ann, { trigger, values: valuesOf(8_192) })).toEqual(limitedFor('8'))
  // A refused one takes nothing, so it is accepted after the time that it was told.
  now = 8_000
  expect(take(ann, { trigger, values: valuesOf(8_192) })).toBe(null)
  expect(take(ann, { trigger })).toEqual(limitedFor('8'))
})

test('bytes of anonymous viewers count against the channel too', () => {
  limit = createInteractionLimit(4, () => now)
  for (let i = 0; i < 5; i++)
    expect(take(anyone(`192.0.2.${i}`), { trigger, values: valuesOf(16_000) })).toBe(null)
  expect(take(anyone('192.0.2.9'), { trigger })).toEqual(limitedFor('3'))
})

test('an interaction larger than the whole limit is accepted from a sender who has sent nothing else', () => {
  expect(take(ann, { trigger, values: valuesOf(16_000) })).toBe(null)
  now = 60_000
  expect(take(ann)).toEqual(limitedFor('30'))
  now = 90_000
  expect(take(ann)).toBe(null)
})
