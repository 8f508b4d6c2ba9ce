// D9: when a question may end because nobody waits, and when it must have ended.
import { expect, test } from 'vitest'
import type { FullDecision } from '../../../shared/decision.ts'
import { OPEN_QUESTION } from '../../support/open-question.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import { END_S, LEASES } from '../model/leases.ts'
import { checkAbandonment } from './abandonment.ts'
import { CHANNEL, filesOf, promises, turnOf } from './sample.ts'

const S = 1_000_000
const AT = '2026-01-31T12:00:00.000Z'
const FIRST_S = LEASES.first / 1_000

const waiting: FullDecision = {
  ...OPEN_QUESTION,
  abandon: 'cancel',
  id: 'd',
  asked_at: AT,
  channel_id: CHANNEL,
  card_id: 'a',
  block_id: 'question',
  choices: [],
  asked_by: { kind: 'agent', name: 'Key' },
  url: '',
}
const abandoned: FullDecision = { ...waiting, state: 'cancelled', reason: 'abandoned', ended_at: AT }

/** `at_s`: in seconds. The card of the turn shows its question. */
function turn(seq: number, at_s: number, decision: FullDecision): TappedTurn {
  const { channel_id, card_id, block_id, choices, asked_by, url, outcome, ...shown } = decision
  const place = turnOf(seq, seq === 1 ? 'card.inserted' : 'card.updated', {
    id: 'a',
    channel_id: CHANNEL,
    status: 'default',
    blocks: [
      { type: 'button', id: 'question', buttons: [], decision: { ...shown, who: 'anyone', outcome: null } },
    ],
    created_at: AT,
    updated_at: AT,
  })
  const events = [...(place.events ?? []), { type: `decision.${decision.state}` as const, data: decision }]
  return { ...place, at: at_s * S, events }
}

const wait = (begin_s: number, end_s: number | null) => ({
  decision_id: 'd',
  channel_id: CHANNEL,
  instance: 0,
  begin: begin_s * S,
  end: end_s === null ? null : end_s * S,
  answer: null,
})

/** Asked at 0. `end_s`: when it was abandoned; null: never, in a run of 200 s. */
function check(end_s: number | null, waits: ReturnType<typeof wait>[], asked = waiting) {
  const turns = [
    turn(1, 0, asked),
    ...(end_s === null ? [] : [turn(2, end_s, { ...abandoned, abandon: asked.abandon })]),
  ]
  const marks = [{ at: 200 * S, kind: 'phase' as const, phase: 'end' as const }]
  return promises(checkAbandonment(filesOf({ turns, waits, marks })))
}

test('a question that nobody waits for ends after its first time, and neither earlier nor much later', () => {
  expect(check(FIRST_S + 1, [])).toEqual([])
  expect(check(FIRST_S - 3, [])).toEqual(['D9'])
  expect(check(FIRST_S + END_S.calm + 10, [])).toEqual(['D9'])
  expect(check(null, [])).toEqual(['D9'])
})

test('a question does not end while somebody waits, and ends soon after the last waiter has left', () => {
  expect(check(31, [wait(1, 40)])).toEqual(['D9'])
  expect(check(41, [wait(1, 40)])).toEqual(['D9'])
  expect(check(40 + END_S.calm - 1, [wait(1, 40)])).toEqual([])
  expect(check(40 + END_S.calm + 5, [wait(1, 40)])).toEqual(['D9'])
})

test('a question that somebody waited for until the run was over is not judged', () => {
  expect(check(null, [wait(1, null)])).toEqual([])
})

test('a question with `abandon: keep` never ends as abandoned', () => {
  expect(check(FIRST_S + 1, [], { ...waiting, abandon: 'keep' })).toEqual(['D9'])
  expect(check(null, [], { ...waiting, abandon: 'keep' })).toEqual([])
})
