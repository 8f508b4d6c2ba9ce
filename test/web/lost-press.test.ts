// A press that didn't count: why, and that the viewer sees it until they dismiss it.
import { describe, expect, test } from 'vitest'
import type { Decision } from '../../shared/decision.ts'
import { type DecisionView, newest } from '../../web/card/decision/decision-view.ts'
import type { LocalInteraction } from '../../web/data/outbox/interaction.ts'
import { announcementOf } from '../../web/data/outbox/interaction-text.ts'
import { plain, refusedWords } from '../../web/data/outbox/press-text.ts'
import { ANN, buildDecision, decidedBy, ended_at, refused, row, show } from './question.ts'

describe('a press that did not count', () => {
  const decision = decidedBy(ANN)
  const expired = buildDecision({ state: 'expired', ended_at })
  const withdrawn = buildDecision({ state: 'cancelled', reason: 'withdrawn', ended_at })
  const abandoned = buildDecision({ state: 'cancelled', reason: 'abandoned', ended_at })
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
      'withdrawn',
      withdrawn,
      refused('cancelled', withdrawn),
      'No longer needed',
      'This closed before your Approve arrived. It did not count. [Dismiss]',
      'inactive',
    ],
    [
      'abandoned',
      abandoned,
      refused('cancelled', abandoned),
      'The agent stopped waiting',
      'The agent stopped waiting before your Approve arrived. It did not count. [Dismiss]',
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
      refused('not_allowed'),
      '',
      'You may not decide this. Your Approve did not count. [Dismiss]',
      'active',
    ],
    [
      'another reason',
      buildDecision(),
      refused('button_disabled'),
      '',
      'This button is disabled now. Your Approve did not count. [Dismiss]',
      'active',
    ],
  ]
  test.each(cases)('a press that did not count says so: %s', (_, now_shown, press, words, note, buttons) => {
    const shown = row(show({ decision: now_shown, presses: [press] }))
    expect([shown.words, shown.notes, shown.buttons]).toEqual([words, [note], buttons])
    expect(announcementOf(press)).toBe(note.replace(/ \[\w*\]$/, ''))
  })

  test('D5: a press that did not count is told even when the question is asked again and decided', () => {
    const later = { ...decidedBy({ kind: 'agent', name: 'bot' }), id: 'third', asked_at: ended_at }
    const { notes } = row(show({ decision: later, presses: [refused('already_decided', decision)] }))
    expect(notes).toEqual(['Ann had already chosen Reject. Your Approve did not count. [Dismiss]'])
  })

  test('a press lost because the card changed is of no interest once the question has ended', () => {
    expect(row(show({ decision, presses: [refused('card_changed', buildDecision())] })).notes).toEqual([])
  })

  test('D5: a press by an older version of the app is told as well', () => {
    const old = { decision_id: undefined }
    const lost = row(show({ decision, presses: [refused('already_decided', decision, old)] }))
    expect(lost.notes).toEqual(['Ann had already chosen Reject. Your Approve did not count. [Dismiss]'])
    const press = refused('button_disabled', undefined, old)
    const { notes } = row(show({ presses: [press] }))
    expect(notes).toEqual(['Approve: This button is disabled now [Dismiss]'])
  })

  test('a press that did not count has its words even if the answer named no outcome', () => {
    const words = refusedWords(refused('already_decided'))
    expect(words && plain(words)).toBe('Someone had already chosen. Your Approve did not count.')
    expect(refusedWords(refused('access_denied', undefined, { decision_id: undefined }))).toBe(null)
  })
})

test('D4: the latest question is shown, whether the document or the answer has it', () => {
  const first = buildDecision()
  const second = buildDecision({ id: 'second', asked_at: ended_at })
  expect(newest(first, [refused('asked_again', second)])).toBe(second)
  expect(newest(second, [refused('already_decided', decidedBy(ANN))])).toBe(second)
})
