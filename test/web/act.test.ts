// The rules of an act on its way: what follows an attempt, what a second click does, what is kept and what is said.
import { describe, expect, test } from 'vitest'
import {
  type Act,
  type AfterAttempt,
  afterAttempt,
  isForgettable,
  isOnItsWay,
  type Progress,
  pauseLeft,
  withProgress,
} from '../../web/data/outbox/interaction.ts'
import { actAnnouncement, actWords, countActs, shortLabel } from '../../web/data/outbox/interaction-words.ts'

const acted_at = '2026-01-31T12:00:00.000Z'
const msAfter = (ms: number) => Date.parse(acted_at) + ms
const LATER = 60_000
const A_DAY = 86_400_000

function buildAct(progress: Progress, over: Partial<Act> = {}): Act {
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

test.each<[number | null, AfterAttempt]>([
  [null, { next: 'again', trouble: 'unreachable' }],
  [400, { next: 'refused', reason: 'why' }],
  [401, { next: 'hold', trouble: 'signed-out' }],
  [403, { next: 'refused', reason: 'why' }],
  [404, { next: 'refused', reason: 'why' }],
  [408, { next: 'again', trouble: 'busy' }],
  [413, { next: 'refused', reason: 'why' }],
  [425, { next: 'again', trouble: 'busy' }],
  [429, { next: 'again', trouble: 'busy' }],
  [500, { next: 'again', trouble: 'busy' }],
])('an attempt that ends with %s', (status, expected) => {
  expect(afterAttempt(status, 'why')).toEqual(expected)
})

test('after a 429 with Retry-After the next attempt comes after that pause, of ten minutes at most', () => {
  expect(afterAttempt(429, 'why', 12_000)).toEqual({ next: 'pause', ms: 12_000 })
  expect(afterAttempt(429, 'why', 86_400_000)).toEqual({ next: 'pause', ms: 600_000 })
  expect(afterAttempt(400, 'why', 12_000)).toEqual({ next: 'refused', reason: 'why' })
})

test('what is left of a pause is counted down; one from before the clock was put back is over', () => {
  const progress = { state: 'waiting', trouble: 'limited', until: 600_000 } as const
  const act = buildAct(progress)
  const words = (now: number) => [pauseLeft(progress, now), actWords(act, now)]
  expect(words(588_000)).toEqual([12_000, 'Sending again in 12 s'])
  expect(words(599_999)).toEqual([1, 'Sending again in 1 s'])
  expect(words(600_000)).toEqual([0, 'Sending…'])
  expect(words(-1)).toEqual([0, 'Sending…'])
})

/** Every state, with: does another click a minute later send nothing; is it forgotten after a day; words; said. */
const table: Record<string, [Progress, boolean, boolean, string, string | null]> = {
  sending: [{ state: 'waiting', trouble: null }, true, false, 'Sending…', null],
  unreachable: [
    { state: 'waiting', trouble: 'unreachable' },
    true,
    false,
    'Waiting for a connection',
    'Approve: Waiting for a connection',
  ],
  busy: [
    { state: 'waiting', trouble: 'busy' },
    true,
    false,
    'Waiting: the server is busy',
    'Approve: Waiting: the server is busy',
  ],
  limited: [
    { state: 'waiting', trouble: 'limited', until: 0 },
    true,
    false,
    'Sending again soon',
    'Approve: Sending again soon',
  ],
  'signed out': [
    { state: 'waiting', trouble: 'signed-out' },
    true,
    false,
    'Waiting until you have access again',
    'Approve: Waiting until you have access again',
  ],
  delivering: [{ state: 'sent', awaiting: true }, true, true, 'Sent, delivering…', null],
  sent: [{ state: 'sent', awaiting: false }, false, true, 'Sent', 'Approve: Sent'],
  delivered: [{ state: 'delivered' }, false, true, 'Delivered', 'Approve: Delivered'],
  failed: [
    { state: 'failed', reason: 'timeout' },
    false,
    false,
    'Sent, but not delivered: timeout',
    'Approve: Sent, but not delivered: timeout',
  ],
  held: [
    { state: 'held' },
    false,
    false,
    'Sent, waiting for the owner to deliver it',
    'Approve: Sent, waiting for the owner to deliver it',
  ],
  refused: [
    { state: 'refused', reason: 'Button not found' },
    false,
    false,
    'Not accepted: Button not found',
    'Approve: Not accepted: Button not found',
  ],
}

describe.each(Object.entries(table))('%s', (_, [progress, blocks, forgotten, words, said]) => {
  const act = buildAct(progress)
  test('whether another click sends', () => expect(isOnItsWay(act, msAfter(LATER))).toBe(blocks))
  test('whether it is forgotten', () => {
    expect(isForgettable(act, msAfter(LATER))).toBe(false)
    expect(isForgettable(act, msAfter(A_DAY))).toBe(forgotten)
  })
  test('its words', () => expect([actWords(act), actAnnouncement(act)]).toEqual([words, said]))
  test('its body is kept only while it waits', () => {
    expect(withProgress(act, progress).body === null).toBe(progress.state !== 'waiting')
  })
})

test('the second half of a double click sends nothing, however fast the first went out', () => {
  expect(isOnItsWay(buildAct({ state: 'sent', awaiting: false }), msAfter(300))).toBe(true)
  expect(isOnItsWay(buildAct({ state: 'refused', reason: 'why' }), msAfter(300))).toBe(false)
  // A clock that was put back since: it would send nothing until it is there again.
  expect(isOnItsWay(buildAct({ state: 'delivered' }), msAfter(-LATER))).toBe(false)
})

test('a change of a field is not announced unless it went wrong', () => {
  const change = { type: 'input_change' } as const
  expect(actAnnouncement(buildAct({ state: 'delivered' }, change))).toBe(null)
  expect(actAnnouncement(buildAct({ state: 'refused', reason: 'why' }, change))).toBe(
    'Approve: Not accepted: why',
  )
})

test('a password that has to wait is told of', () => {
  const act = buildAct({ state: 'waiting', trouble: 'unreachable' }, { secret: true })
  expect(actWords(act)).toBe('Waiting for a connection. The password stays on this device until then')
})

test('labels are short, and actions are counted', () => {
  expect(shortLabel({ type: 'button_click', label: 'x'.repeat(100) })).toBe(`${'x'.repeat(60)}…`)
  expect(shortLabel({ type: 'reply', label: 'all that was written' })).toBe('Reply')
  expect([countActs(1), countActs(3)]).toEqual(['1 action', '3 actions'])
})
