// D1 to D7: what the checkers of questions, presses, waits and receipts find.

import { expect, test } from 'vitest'
import type { FullDecision } from '../../../shared/decision.ts'
import { OPEN_QUESTION } from '../../support/open-question.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Ending } from '../load/ending.ts'
import type { Waited } from '../load/questions.ts'
import type { Press } from '../model/questions.ts'
import { KEY_IN_USE } from '../model/refusals.ts'
import { checkDecisions } from './decisions.ts'
import type { Files } from './files.ts'
import { checkHidden } from './hidden.ts'
import { checkPresses } from './presses.ts'
import { CHANNEL, filesOf, promises, triedOf, turnOf } from './sample.ts'
import { checkWaits } from './waits.ts'

const S = 1_000_000
const ASKED_AT = '2026-01-31T12:00:00.000Z'
const DEADLINE = '2026-01-31T12:00:10.000Z'
/** The files' clock began when the question was asked. */
const clock = { wall_ms: Date.parse(ASKED_AT), at: 0 }

const asked: FullDecision = {
  ...OPEN_QUESTION,
  id: 'd',
  asked_at: ASKED_AT,
  expires_at: DEADLINE,
  channel_id: CHANNEL,
  card_id: 'a',
  block_id: 'question',
  choices: [],
  asked_by: { kind: 'agent', name: 'Key' },
  url: '',
}

const decided = (
  interaction_id = 'i',
  button_id = 'yes',
  ended_at = '2026-01-31T12:00:05.000Z',
): FullDecision => ({
  ...asked,
  state: 'decided',
  ended_at,
  outcome: {
    button_id,
    label: button_id,
    by: { kind: 'anonymous', name: null, user_id: null, api_key_id: null },
    comment: null,
    timestamp: ended_at,
    interaction_id,
    values: {},
    seen: null,
    card_updated_at: ASKED_AT,
    jws: null,
  },
})
const expired: FullDecision = { ...asked, state: 'expired', ended_at: DEADLINE }

function turn(seq: number, decision: FullDecision): TappedTurn {
  const { events: _, ...place } = turnOf(seq, 'card.updated', {
    id: 'a',
    channel_id: CHANNEL,
    status: 'default',
    blocks: [],
    created_at: ASKED_AT,
    updated_at: ASKED_AT,
  })
  return { ...place, at: seq * S, events: [{ type: `decision.${decision.state}`, data: decision }] }
}

const row = (decision: FullDecision, presses: string[]): Ending => ({
  kind: 'decision',
  channel_id: CHANNEL,
  decision: { ...decision, who: 'anyone', outcome: decision.outcome && { ...decision.outcome, act: '' } },
  presses,
})

const press: Press = {
  kind: 'press',
  op: 'one',
  interaction_id: 'i',
  card_id: 'a',
  decision_id: 'd',
  button: 'yes',
  by: 'anonymous',
  timestamp: ASKED_AT,
}
const rival: Press = { ...press, op: 'two', interaction_id: 'j', button: 'no' }
const read = { kind: 'read decision', op: 'read', decision_id: 'd' } as const
const turns = [turn(1, asked), turn(5, decided())]
const won = triedOf(press, [4 * S, 5 * S], 201, { decision: decided() })
const refusal = (code: string) => ({ error: '', code })

const decisions = (given: Partial<Files>) => promises(checkDecisions(filesOf({ clock, turns, ...given })))

test('a question that ends once, everywhere in the same way, has no findings', () => {
  const tried = [
    triedOf(read, [2 * S, 3 * S], 200, asked),
    won,
    triedOf(read, [6 * S, 7 * S], 200, decided()),
  ]
  expect(decisions({ tried, ending: [row(decided(), ['i'])] })).toEqual([])
})

test('D1: a question that ends twice, or waits again after somebody was told of its end, is a finding', () => {
  expect(decisions({ turns: [...turns, turn(6, expired)], tried: [] })).toContain('D1')
  const late = triedOf(read, [6 * S, 7 * S], 200, asked)
  expect(decisions({ tried: [won, late] })).toEqual(['D1'])
  expect(decisions({ tried: [won, { ...late, begin: 4 * S }] })).toEqual([])
})

test('D3: a press that decides after the deadline, or a read that still says that the question waits, is a finding', () => {
  const late = { ...won, begin: 10.5 * S, end: 11 * S }
  expect(decisions({ tried: [late] })).toEqual(['D3'])
  expect(decisions({ turns: [turn(1, asked), turn(11, decided('i', 'yes', DEADLINE))] })).toEqual(['D3'])
  const open = triedOf(read, [11 * S, 12 * S], 200, asked)
  expect(decisions({ turns: [turn(1, asked), turn(12, expired)], tried: [open] })).toEqual(['D3'])
})

test('D6: a table or an answer that disagrees with the log is a finding', () => {
  expect(decisions({ ending: [row(asked, [])] })).toEqual(['D6'])
  expect(decisions({ ending: [row(decided(), [])] })).toEqual(['D6'])
  expect(decisions({ ending: [row(decided(), ['i', 'j'])] })).toEqual(['D6'])
  expect(decisions({ tried: [triedOf(read, [6 * S, 7 * S], 200, decided('j', 'no'))] })).toEqual(['D6'])
  const heard = {
    at: 6 * S,
    stream: 0,
    channel_id: CHANNEL,
    event: 'decision.expired',
    id: '',
    data: expired,
  }
  expect(decisions({ heard: [heard] })).toEqual(['D6'])
})

const presses = (tried: Files['tried'], log = turns) => promises(checkPresses({ tried, turns: log }))

test('the first press counts, however often it is repeated, and others are told who was first', () => {
  const again = triedOf(press, [6 * S, 7 * S], 200, { decision: decided() })
  const other = triedOf(rival, [4 * S, 6 * S], 409, refusal('already_decided'))
  expect(presses([won, again, other])).toEqual([])
})

test('D1 and D4: a press that is told that it counts, and doesn’t, or counts for another question, is a finding', () => {
  expect(presses([won, triedOf(rival, [6 * S, 7 * S], 201, { decision: decided('j', 'no') })])).toEqual([
    'D1',
  ])
  const second = { ...decided(), id: 'e' }
  expect(presses([won], [...turns, turn(6, { ...asked, id: 'e' }), turn(7, second)])).toContain('D4')
  const reopened = [turn(1, asked), turn(2, expired), turn(3, { ...asked, id: 'e' }), turn(5, second)]
  expect(presses([won], reopened)).toContain('D4')
})

test('D5: a press that counted and is told otherwise, or is refused for a reason that isn’t one, is a finding', () => {
  expect(presses([won, triedOf(press, [6 * S, 7 * S], 409, refusal('already_decided'))])).toEqual(['D5'])
  expect(presses([triedOf(rival, [6 * S, 7 * S], 409, refusal('expired'))])).toEqual(['D5'])
  expect(presses([triedOf(rival, [6 * S, 7 * S], 403, refusal('sign_in'))])).toEqual(['D5'])
  expect(presses([triedOf({ ...rival, by: 'agent' }, [6 * S, 7 * S], 403, refusal('agents'))])).toEqual([])
})

test('D5: an agent that presses on a deleted card is told how the question ended', () => {
  const deleted: TappedTurn = {
    ...turn(8, expired),
    events: [{ type: 'card.deleted', data: { id: 'a', channel_id: CHANNEL } }],
  }
  const late = (code: string) => triedOf({ ...rival, by: 'agent' }, [9 * S, 9.5 * S], 409, refusal(code))
  expect(presses([late('expired')], [turn(1, asked), turn(6, expired), deleted])).toEqual([])
  expect(presses([late('cancelled')], [turn(1, asked), turn(6, expired), deleted])).toEqual(['D5'])
  expect(presses([late('cancelled')], [turn(1, asked), deleted])).toEqual([])
})

test('D4: one question on two cards, or asked more often than clients asked, is a finding', () => {
  const question = { who: 'anyone', agents: false, key: 'k', expires_in: null } as const
  const ask = { kind: 'post', op: 'ask', status: 'pending', question } as const
  const first = triedOf(ask, [1, 2], 201, { id: 'a' })
  expect(presses([first, triedOf(ask, [1, 3], 200, { id: 'b', joined: true })])).toEqual(['D4'])
  expect(presses([first], [...turns, turn(6, { ...asked, id: 'e' })])).toEqual(['D4'])
})

test('D5: a key that is refused though only the own question has it is a finding', () => {
  const question = { who: 'anyone', agents: false, key: 'k', expires_in: null } as const
  const ask = { kind: 'post', op: 'ask', status: 'pending', question } as const
  const own = turn(1, { ...asked, key: 'k' })
  const tried = [triedOf(ask, [0, 2 * S], 201, { id: 'a' }), triedOf(ask, [0, 3 * S], 409, KEY_IN_USE.body)]
  expect(presses(tried, [own])).toEqual(['D5'])
  const other = turn(0.5, { ...asked, id: 'e', card_id: 'b', key: 'k' })
  expect(presses(tried, [other, own])).toEqual([])
})

test('D2: a wait that is told late, or not at all, is a finding', () => {
  const answer = { status: 200, body: decided(), replayed: false }
  const wait: Waited = {
    decision_id: 'd',
    channel_id: CHANNEL,
    instance: 0,
    begin: 2 * S,
    end: 5.2 * S,
    answer,
  }
  const marks: Files['marks'] = [{ at: 30 * S, kind: 'phase', phase: 'end' }]
  const check = (given: Partial<Waited>, more: Partial<Files> = {}) =>
    promises(checkWaits(filesOf({ turns, waits: [{ ...wait, ...given }], marks, ...more })))
  expect(check({})).toEqual([])
  expect(check({ end: 15 * S })).toEqual(['D2'])
  expect(check({ end: null, answer: null })).toEqual(['D2'])
  expect(check({ end: 15 * S, answer: null })).toEqual([])
  const told = {
    at: 5 * S,
    stream: 0,
    channel_id: CHANNEL,
    event: 'decision.decided',
    id: '',
    data: decided(),
  }
  expect(check({ end: 6.4 * S }, { heard: [told] })).toEqual([])
  expect(check({ end: 7 * S })).toEqual([])
  expect(check({ end: 7 * S }, { heard: [told] })).toEqual(['D2'])
})

test('D7: a name that is shown once its workspace is public, or long after receipts were turned off, is a finding', () => {
  const seen = (named: number | null) => [{ instance: 0, answers: 9, named }]
  const check = (how: 'public' | 'off', named: number | null) =>
    promises(
      checkHidden({
        hidden: [{ op: 'h', how, at: 10 * S, shown: true, seen: seen(named) }],
        marks: [],
        machine: [],
      }),
    )
  expect(check('public', null)).toEqual([])
  expect(check('public', 9.9 * S)).toEqual(['D7'])
  expect(check('off', 11 * S)).toEqual([])
  expect(check('off', 13 * S)).toEqual(['D7'])
})
