// The rules for an interaction in the outbox: what follows a failed request, what a second click does, how long it is
// kept, and how its status reads.
import { describe, expect, test } from 'vitest'
import {
  type AfterError,
  afterError,
  blocksRepeat,
  type InteractionProgress,
  isExpired,
  type LocalInteraction,
  pauseLeft,
  withProgress,
} from '../../web/data/outbox/interaction.ts'
import { announcementOf, shortLabel, statusText } from '../../web/data/outbox/interaction-text.ts'

const acted_at = '2026-01-31T12:00:00.000Z'
const msAfter = (ms: number) => Date.parse(acted_at) + ms
const MINUTE = 60_000
const DAY = 86_400_000

function buildInteraction(
  progress: InteractionProgress,
  over: Partial<LocalInteraction> = {},
): LocalInteraction {
  const trigger = { type: 'button_click' as const, button_id: 'approve' }
  return {
    interaction_id: 'id',
    channel_id: 'channel',
    card_id: 'card',
    type: 'button_click',
    place: 'button approve',
    label: 'Approve',
    acted_at,
    body: { interaction_id: 'id', card_id: 'card', trigger, values: {}, timestamp: acted_at },
    secret: false,
    progress,
    ...over,
  }
}

const failure = { message: 'why', code: 'field_required', field: 'name' }

test.each<[number | null, AfterError, retry_after?: number]>([
  [null, { next: 'retry', trouble: 'unreachable' }],
  [400, { next: 'refused', failure }],
  [400, { next: 'refused', failure }, 12],
  [401, { next: 'hold', trouble: 'signed-out' }],
  [403, { next: 'refused', failure }],
  [404, { next: 'refused', failure }],
  [408, { next: 'retry', trouble: 'busy' }],
  [413, { next: 'refused', failure }],
  [425, { next: 'retry', trouble: 'busy' }],
  [429, { next: 'retry', trouble: 'busy' }],
  [429, { next: 'pause', ms: 12_000, daily: false }, 12],
  [429, { next: 'pause', ms: 600_000, daily: false }, 86_400],
  [500, { next: 'retry', trouble: 'busy' }],
])('status %s leads to %o', (status, expected, retry_after) => {
  expect(afterError({ status, ...failure, retry_after, body: {} })).toEqual(expected)
})

test('the daily limit is named while it is used up', () => {
  const error = { message: 'why', code: 'daily_byte_limit', status: 429, retry_after: 60, body: {} } as const
  expect(afterError(error)).toEqual({ next: 'pause', ms: 60_000, daily: true })
  const interaction = buildInteraction({ state: 'waiting', trouble: 'limited', until: 60_000, daily: true })
  expect(statusText(interaction)).toBe('The daily limit is reached')
  expect(statusText(interaction, 0)).toBe('The daily limit is reached. Sending again in 60 s')
})

test('a pause counts down, and ends if the clock was set back', () => {
  const progress = { state: 'waiting', trouble: 'limited', until: 600_000 } as const
  const interaction = buildInteraction(progress)
  const at = (now: number) => [pauseLeft(progress, now), statusText(interaction, now)]
  expect(at(0)).toEqual([600_000, 'Sending again in 10 min'])
  expect(at(479_001)).toEqual([120_999, 'Sending again in 3 min'])
  expect(at(588_000)).toEqual([12_000, 'Sending again in 12 s'])
  expect(at(599_999)).toEqual([1, 'Sending again in 1 s'])
  expect(at(600_000)).toEqual([0, 'Sending…'])
  expect(at(-1)).toEqual([0, 'Sending…'])
})

/** Every state with: whether it blocks another click a minute later, whether it expires within a day, its text. */
const table: [InteractionProgress, blocks: boolean, expires: boolean, text: string][] = [
  [{ state: 'waiting', trouble: null }, true, false, 'Sending…'],
  [{ state: 'waiting', trouble: 'unreachable' }, true, false, 'Waiting for a connection'],
  [{ state: 'waiting', trouble: 'busy' }, true, false, 'Waiting: the server is busy'],
  [{ state: 'waiting', trouble: 'limited', until: 0 }, true, false, 'Sending again soon'],
  [{ state: 'waiting', trouble: 'signed-out' }, true, false, 'Waiting until you have access again'],
  [{ state: 'sent', awaiting: true }, true, true, 'Sent, delivering…'],
  [{ state: 'sent', awaiting: false }, false, true, 'Sent'],
  [{ state: 'delivered' }, false, true, 'Delivered'],
  [
    { state: 'failed', delivery: 'timeout' },
    false,
    false,
    'Sent, but not delivered: the webhook did not answer in time',
  ],
  [
    { state: 'failed', failure: { message: 'why', code: 'too_many_redeliveries' } },
    false,
    false,
    'Sent, but not delivered: too many deliveries are pending. Try again when they are done',
  ],
  [{ state: 'held' }, false, false, 'Sent, waiting for the owner to deliver it'],
  [
    { state: 'refused', failure: { message: 'why', code: 'button_not_found' } },
    false,
    false,
    'This button is no longer there',
  ],
]
const NOT_ANNOUNCED = ['Sending…', 'Sent, delivering…']

describe.each(table)('%o', (progress, blocks, expires, text) => {
  const interaction = buildInteraction(progress)
  test(blocks ? 'blocks another click' : 'allows another click', () => {
    expect(blocksRepeat(interaction, msAfter(MINUTE))).toBe(blocks)
  })
  test(expires ? 'expires within a day' : 'stays', () => {
    expect(isExpired(interaction, msAfter(MINUTE))).toBe(false)
    expect(isExpired(interaction, msAfter(DAY))).toBe(expires)
  })
  test('an interaction has its text and announcement', () => {
    expect(statusText(interaction)).toBe(text)
    const afterLabel = text.charAt(0).toLowerCase() + text.slice(1)
    expect(announcementOf(interaction)).toBe(NOT_ANNOUNCED.includes(text) ? null : `Approve: ${afterLabel}`)
  })
  test('an interaction keeps its body only while it waits', () => {
    expect(withProgress(interaction, progress).body === null).toBe(progress.state !== 'waiting')
  })
})

test('the second half of a double click sends nothing, even if the first is already sent', () => {
  expect(blocksRepeat(buildInteraction({ state: 'sent', awaiting: false }), msAfter(300))).toBe(true)
  expect(
    blocksRepeat(buildInteraction({ state: 'refused', failure: { message: 'why' } }), msAfter(300)),
  ).toBe(false)
  // The clock was set back: otherwise clicks would be blocked until it catches up.
  expect(blocksRepeat(buildInteraction({ state: 'delivered' }), msAfter(-MINUTE))).toBe(false)
})

test("a field's change is announced only if it failed", () => {
  const change = { type: 'input_change' } as const
  expect(announcementOf(buildInteraction({ state: 'delivered' }, change))).toBe(null)
  const refused = buildInteraction({ state: 'refused', failure: { message: 'why' } }, change)
  expect(announcementOf(refused)).toBe('Approve: not accepted. Reload the page and try again')
})

test('a waiting password is mentioned', () => {
  const waiting = buildInteraction({ state: 'waiting', trouble: 'unreachable' }, { secret: true })
  expect(statusText(waiting)).toBe('Waiting for a connection. The password stays on this device until then')
})

test('labels are shortened, and actions are counted', () => {
  expect(shortLabel({ type: 'button_click', label: 'x'.repeat(100) })).toBe(`${'x'.repeat(60)}…`)
  expect(shortLabel({ type: 'reply', label: 'the whole text' })).toBe('Reply')
})
