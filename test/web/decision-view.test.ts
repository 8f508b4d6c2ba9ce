// What a question shows in each of its states: the words, the buttons, and what became of the viewer's press.
import { describe, expect, test } from 'vitest'
import type { Decision } from '../../shared/decision.ts'
import {
  closes,
  type DecisionView,
  decisionView,
  newest,
  type Situation,
} from '../../web/card/decision/decision-view.ts'
import { type LocalInteraction, type Progress, withProgress } from '../../web/data/outbox/interaction.ts'
import { announcementOf } from '../../web/data/outbox/interaction-text.ts'
import { plain, refusedWords } from '../../web/data/outbox/press-text.ts'

const asked_at = '2026-11-22T14:00:00.000Z'
const ended_at = '2026-11-22T14:02:00.000Z'
const now = Date.parse(asked_at) + 60_000

function buildDecision(over: Partial<Decision> = {}): Decision {
  return {
    id: 'first',
    key: null,
    state: 'waiting',
    asked_at,
    expires_at: null,
    who: 'anyone',
    agents: false,
    comment: 'none',
    if_changed: 'accept',
    approves: null,
    ended_at: null,
    reason: null,
    outcome: null,
    ...over,
  }
}

type By = NonNullable<Decision['outcome']>['by']
const ANN: By = { kind: 'owner', name: 'Ann' }

const decidedBy = (by: By, label = 'Reject', act = 'theirs'): Decision =>
  buildDecision({
    state: 'decided',
    ended_at,
    outcome: { button_id: label.toLowerCase(), label, by, comment: null, timestamp: ended_at, act },
  })

function buildPress(progress: Progress, over: Partial<LocalInteraction> = {}): LocalInteraction {
  const trigger = { type: 'button_click' as const, button_id: 'approve', decision_id: 'first' }
  return {
    interaction_id: 'press',
    channel_id: 'channel',
    card_id: 'card',
    type: 'button_click',
    place: 'button approve',
    label: 'Approve',
    acted_at: asked_at,
    body: { interaction_id: 'press', card_id: 'card', trigger, values: {}, timestamp: asked_at },
    secret: false,
    progress,
    decision_id: 'first',
    ...over,
  }
}

const waiting = (trouble: 'unreachable' | 'busy' | 'signed-out' | null): Progress => ({
  state: 'waiting',
  trouble,
})
const refused = (code: string, decision?: Decision, over: Partial<LocalInteraction> = {}) =>
  buildPress({ state: 'refused', reason: 'why', code }, { ...(decision && { decision }), ...over })

function show(over: Partial<Situation>): DecisionView {
  return decisionView({
    decision: buildDecision(),
    presses: [],
    isMine: act => act === 'mine',
    permission: 'yes',
    name: null,
    readOnly: false,
    offline: false,
    now,
    ...over,
  })
}

/** A row of the table: what is shown, and which buttons. */
function row(view: DecisionView) {
  const { state, buttons, chosen, outcome, facts, sending, notes } = view
  return {
    state,
    buttons,
    chosen,
    words: [
      outcome && plain(outcome.words),
      sending && plain(sending),
      ...facts.map(({ words }) => plain(words)),
    ]
      .filter(text => text !== null)
      .join(' | '),
    notes: notes.map(({ words, way }) => `${plain(words)} [${way ?? ''}]`),
  }
}

const open = { state: 'waiting', buttons: 'active', chosen: null, words: '', notes: [] }
const in12min = new Date(now + 12 * 60_000).toISOString()

describe('13: a waiting question', () => {
  test('has active buttons and says when it closes', () => {
    expect(row(show({}))).toEqual(open)
    const decision = buildDecision({ expires_at: in12min })
    expect(row(show({ decision }))).toEqual({ ...open, words: 'Closes in 12 min' })
  })

  test.each<[Decision['who'], string]>([
    ['signed_in', 'Only signed-in people can decide'],
    ['members', 'Only members can decide'],
    ['owner', 'Only the owner can decide'],
    ['listed', 'Only chosen people can decide'],
  ])('says that %s may decide, and that the name is recorded', (who, words) => {
    const decision = buildDecision({ who })
    expect(row(show({ decision, permission: 'sign_in' }))).toEqual({ ...open, buttons: 'sign_in', words })
    expect(row(show({ decision, permission: 'no' }))).toEqual({ ...open, buttons: 'inactive', words })
    const mine = row(show({ decision, name: 'Ann' }))
    expect(mine).toEqual({ ...open, words: `${words} | You act as Ann` })
  })

  test('says offline that it may be out of date, and counts down', () => {
    const decision = buildDecision({ expires_at: in12min })
    const words = 'Closes in 12 min | You are offline, so this may have changed'
    expect(row(show({ decision, offline: true }))).toEqual({ ...open, words })
  })

  test('has inactive buttons in a channel for viewing only, and after its deadline', () => {
    expect(row(show({ readOnly: true }))).toEqual({ ...open, buttons: 'inactive' })
    const decision = buildDecision({ expires_at: new Date(now).toISOString() })
    expect(row(show({ decision }))).toEqual({ ...open, buttons: 'inactive', words: 'Closing…' })
    expect(row(show({ decision, offline: true })).words).toContain('The deadline has passed')
  })

  test.each<[number, string]>([
    [-1, 'Closing…'],
    [400, 'Closes in 1 s'],
    [59_001, 'Closes in 60 s'],
    [60_000, 'Closes in 1 min'],
    [3_599_999, 'Closes in 59 min'],
    [3_600_000, 'Closes in 1 h'],
    [86_400_000, 'Closes in 1 day'],
    [20 * 86_400_000, 'Closes in 20 days'],
  ])('with %i ms left: %s', (left, words) => {
    expect(closes(left)).toBe(words)
  })
})

describe('13: my press on its way', () => {
  const inactive = { buttons: 'inactive', chosen: 'approve' }

  test('is being sent', () => {
    const sending = { state: 'sending', ...inactive, words: 'Approve: sending…', notes: [] }
    expect(row(show({ presses: [buildPress(waiting(null))] }))).toEqual(sending)
    // It is stored, and neither the document nor the answer has the outcome yet.
    expect(row(show({ presses: [buildPress({ state: 'sent', awaiting: true })] }))).toEqual(sending)
  })

  test.each<[Progress, string]>([
    [waiting('unreachable'), 'Approve will be sent when you are online. Nothing is decided yet.'],
    [waiting('busy'), 'Approve: waiting, because the server is busy. Nothing is decided yet.'],
    [waiting('signed-out'), 'Approve: waiting until you have access again. Nothing is decided yet.'],
    [
      { state: 'waiting', trouble: 'limited', until: 0 },
      'Approve: sending again soon. Nothing is decided yet.',
    ],
  ])('%o is queued, and can be taken back', (progress, words) => {
    const queued = { state: 'queued', ...inactive, words: '', notes: [`${words} [Take back]`] }
    expect(row(show({ presses: [buildPress(progress)] }))).toEqual(queued)
  })

  test('stays visible beside the outcome until the server has judged it', () => {
    const decision = decidedBy(ANN)
    const decided = { state: 'decided', buttons: 'inactive', chosen: 'reject', words: 'Ann chose Reject' }
    const queued = row(show({ decision, presses: [buildPress(waiting('unreachable'))] }))
    expect(queued).toEqual({ ...decided, notes: ['Approve will be sent when you are online. [Take back]'] })
    const sending = row(show({ decision, presses: [buildPress(waiting(null))] }))
    expect(sending).toEqual({ ...decided, notes: ['Approve: sending… []'] })
  })

  test('of an earlier question leaves the buttons of the new one active', () => {
    const decision = buildDecision({ id: 'second', asked_at: ended_at })
    const { buttons, notes } = row(show({ decision, presses: [buildPress(waiting('unreachable'))] }))
    expect([buttons, notes]).toEqual(['active', ['Approve will be sent when you are online. [Take back]']])
  })

  test('is gone once it was taken back', () => {
    expect(row(show({ presses: [buildPress({ state: 'hidden' })] }))).toEqual(open)
  })

  test('A5: stays taken back while a try fails, but shows what the server decided', () => {
    const hidden = buildPress({ state: 'hidden' })
    expect(withProgress(hidden, waiting('unreachable')).progress).toEqual({ state: 'hidden' })
    expect(withProgress(hidden, { state: 'sent', awaiting: true }).progress.state).toBe('sent')
    const view = show({ decision: decidedBy(ANN, 'Approve', 'mine'), presses: [hidden] })
    expect(row(view).words).toBe('You chose Approve')
  })
})

describe('13: an ended question', () => {
  const ended = { buttons: 'inactive', notes: [] }

  test('decided by me says so, and follows the delivery', () => {
    const decision = decidedBy(ANN, 'Approve', 'mine')
    const press = buildPress({ state: 'delivered' }, { decision })
    const view = show({ decision, presses: [press] })
    expect(row(view)).toEqual({ ...ended, state: 'decided', chosen: 'approve', words: 'You chose Approve' })
    expect(view.delivery).toBe(press)
    expect(show({ decision, presses: [press], now: now + 2 * 3_600_000 }).delivery).toBe(null)
    const failed = buildPress({ state: 'failed', reason: 'why' }, { decision })
    expect(show({ decision, presses: [failed], now: now + 2 * 3_600_000 }).delivery).toBe(failed)
    const dismissed = buildPress({ state: 'hidden' }, { decision })
    expect(show({ decision, presses: [dismissed] }).delivery).toBe(null)
  })

  test("shows the server's answer before the document has it", () => {
    const decision = decidedBy(ANN, 'Approve', 'mine')
    const presses = [buildPress({ state: 'sent', awaiting: true }, { decision })]
    expect(row(show({ presses })).words).toBe('You chose Approve')
  })

  test.each<[By, string]>([
    [ANN, 'Ann chose Reject'],
    [{ kind: 'member', name: 'Ben' }, 'Ben chose Reject'],
    [{ kind: 'anonymous', name: null }, 'Someone chose Reject'],
    [{ kind: 'owner', name: null }, 'Someone chose Reject'],
    [{ kind: 'agent', name: 'deploy-bot' }, 'deploy-bot (agent) chose Reject'],
  ])('decided by %o reads: %s', (by, words) => {
    expect(row(show({ decision: decidedBy(by) }))).toEqual({
      ...ended,
      state: 'decided',
      chosen: 'reject',
      words,
    })
  })

  test('A3: expired and cancelled never read as decided', () => {
    const expired = buildDecision({ state: 'expired', ended_at })
    const cancelled = buildDecision({ state: 'cancelled', reason: 'withdrawn', ended_at })
    const words = 'Closed without a decision'
    expect(row(show({ decision: expired }))).toEqual({ ...ended, state: 'expired', chosen: null, words })
    const gone = { ...ended, state: 'cancelled', chosen: null, words: 'No longer needed' }
    expect(row(show({ decision: cancelled }))).toEqual(gone)
  })
})

describe('13: a press that did not count', () => {
  const decision = decidedBy(ANN)
  const expired = buildDecision({ state: 'expired', ended_at })
  const second = buildDecision({ id: 'second', asked_at: ended_at })
  const cases: [string, Decision, LocalInteraction, string, string, DecisionView['buttons']][] = [
    [
      'lost the race',
      decision,
      refused('already_decided', decision),
      'Ann chose Reject',
      'Ann had already chosen Reject. Your Approve did not count. [Dismiss]',
      'inactive',
    ],
    [
      'too late',
      expired,
      refused('expired', expired),
      'Closed without a decision',
      'This closed before your Approve arrived. It did not count. [Dismiss]',
      'inactive',
    ],
    [
      'asked again',
      second,
      refused('asked_again', second),
      '',
      'The question was asked again. Your Approve did not count. [Dismiss]',
      'active',
    ],
    [
      'card changed',
      buildDecision(),
      refused('card_changed', buildDecision()),
      '',
      'The card changed while you decided. Look again, then choose. []',
      'active',
    ],
    [
      'not allowed',
      buildDecision(),
      buildPress({ state: 'refused', reason: 'You may not decide this', code: 'not_allowed' }),
      '',
      'You may not decide this. Your Approve did not count. [Dismiss]',
      'active',
    ],
    [
      'another reason',
      buildDecision(),
      buildPress({ state: 'refused', reason: 'Button is disabled' }),
      '',
      'Approve: This button is switched off now [Dismiss]',
      'active',
    ],
  ]
  test.each(cases)('%s', (_, now_shown, press, words, note, buttons) => {
    const shown = row(show({ decision: now_shown, presses: [press] }))
    expect([shown.words, shown.notes, shown.buttons]).toEqual([words, [note], buttons])
    expect(announcementOf(press)).toBe(note.replace(/ \[\w*\]$/, ''))
  })

  test('A5: stays when the question is asked again and decided', () => {
    const later = { ...decidedBy({ kind: 'agent', name: 'bot' }), id: 'third', asked_at: ended_at }
    const { notes } = row(show({ decision: later, presses: [refused('already_decided', decision)] }))
    expect(notes).toEqual(['Ann had already chosen Reject. Your Approve did not count. [Dismiss]'])
  })

  test('because the card changed is of no interest once the question has ended', () => {
    expect(row(show({ decision, presses: [refused('card_changed', buildDecision())] })).notes).toEqual([])
  })

  test('has its words even if the answer named no outcome', () => {
    const words = refusedWords(refused('already_decided'))
    expect(words && plain(words)).toBe('Someone had already chosen. Your Approve did not count.')
    expect(refusedWords(buildPress({ state: 'refused', reason: 'why' }, { decision_id: undefined }))).toBe(
      null,
    )
  })
})

test('A4: the latest question is shown, whether the document or the answer has it', () => {
  const first = buildDecision()
  const second = buildDecision({ id: 'second', asked_at: ended_at })
  expect(newest(first, [refused('asked_again', second)])).toBe(second)
  expect(newest(second, [refused('already_decided', decidedBy(ANN))])).toBe(second)
})
