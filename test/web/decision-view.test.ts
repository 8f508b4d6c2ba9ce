// What a question shows in each of its states: the words, the buttons, and what became of the viewer's press.
import { describe, expect, test } from 'vitest'
import type { Decision } from '../../shared/decision.ts'
import type { Look } from '../../shared/looks.ts'
import { closes } from '../../web/card/decision/decision-view.ts'
import { type InteractionProgress, withProgress } from '../../web/data/outbox/interaction.ts'
import {
  ANN,
  type By,
  buildDecision,
  buildPress,
  decidedBy,
  ended_at,
  now,
  row,
  show,
  waiting,
} from './question.ts'

const open = { state: 'waiting', buttons: 'active', chosen: null, words: '', notes: [] }
const in12min = new Date(now + 12 * 60_000).toISOString()

describe('a waiting question', () => {
  test('a waiting question has active buttons and says when it closes', () => {
    expect(row(show({}))).toEqual(open)
    const decision = buildDecision({ expires_at: in12min })
    expect(row(show({ decision }))).toEqual({ ...open, words: 'Closes in 12 min' })
  })

  test.each<[Decision['who'], string]>([
    ['signed_in', 'Only signed-in people can decide'],
    ['members', 'Only members can decide'],
    ['owner', 'Only the owner can decide'],
    ['listed', 'Only chosen people can decide'],
  ])('a waiting question says that %s may decide, and that the name is recorded', (who, words) => {
    const decision = buildDecision({ who })
    expect(row(show({ decision, permission: 'sign_in' }))).toEqual({ ...open, buttons: 'sign_in', words })
    expect(row(show({ decision, permission: 'no', name: 'Ann' }))).toEqual({
      ...open,
      buttons: 'inactive',
      words,
    })
    const mine = row(show({ decision, name: 'Ann' }))
    expect(mine).toEqual({ ...open, words: `${words} | You act as Ann` })
  })

  test.each<[string[], string]>([
    [['Ann'], 'Waiting for Ann'],
    [['Ann', 'Bob'], 'Waiting for Ann and Bob'],
    [['Ann', 'Bob', 'Cleo'], 'Waiting for Ann, Bob and Cleo'],
    [['Ann', 'Bob', 'Cleo', 'Dan'], 'Waiting for Ann and 3 others'],
  ])('a waiting question names the chosen people %j: %s', (chosen, words) => {
    const decision = buildDecision({ who: 'listed' })
    expect(row(show({ decision, permission: 'unknown', chosen })).words).toBe(words)
  })

  test('a waiting question says offline that it may be out of date, and counts down', () => {
    const decision = buildDecision({ expires_at: in12min })
    const words = 'Closes in 12 min | You are offline, so this may have changed'
    expect(row(show({ decision, offline: true }))).toEqual({ ...open, words })
  })

  test('a waiting question has inactive buttons in a channel for viewing only, and after its deadline', () => {
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
  ])('a waiting question with %i ms left reads: %s', (left, words) => {
    expect(closes(left)).toBe(words)
  })
})

describe('the agent that asked', () => {
  const ago = (ms: number) => new Date(now - ms).toISOString()
  const looked = (ms: number) => ({ waiting: false, looked_at: ago(ms) })
  const abandoned = { state: 'cancelled', reason: 'abandoned', ended_at } as const

  test.each<['keep' | 'cancel' | undefined, Look | undefined, string]>([
    ['keep', { waiting: true, looked_at: ago(0) }, 'An agent is waiting'],
    ['cancel', { waiting: true, looked_at: ago(3 * 60_000) }, 'An agent is waiting'],
    ['keep', looked(59_999), 'An agent last looked just now'],
    // The clocks differ a little.
    ['keep', looked(-2_000), 'An agent last looked just now'],
    ['keep', looked(4 * 60_000 + 59_999), 'An agent last looked 4 min ago'],
    ['keep', looked(3 * 3_600_000), 'An agent last looked 3 h ago'],
    ['keep', looked(86_400_000), 'An agent last looked 1 day ago'],
    ['keep', looked(20 * 86_400_000), 'An agent last looked 20 days ago'],
    // Questions of earlier versions name no choice.
    [undefined, looked(4 * 60_000), 'An agent last looked 4 min ago'],
    ['cancel', looked(4 * 60_000), 'The agent has left. This closes soon.'],
    ['keep', undefined, ''],
    ['cancel', undefined, ''],
  ])('D10: a waiting question of an agent with %s and %o says: %s', (abandon, look, words) => {
    const decision = buildDecision({ abandon })
    expect(row(show({ decision, look }))).toEqual({ ...open, words })
    expect(row(show({ decision, look, offline: true })).words).toBe(
      'You are offline, so this may have changed',
    )
  })

  test('D10: what is known about the agent stands behind the deadline and the people, and changes no button', () => {
    const decision = buildDecision({ expires_at: in12min, who: 'owner', abandon: 'cancel' })
    for (const permission of ['yes', 'no', 'sign_in'] as const) {
      const without = row(show({ decision, permission }))
      const words = `${without.words} | The agent has left. This closes soon.`
      expect(row(show({ decision, permission, look: looked(0) }))).toEqual({ ...without, words })
    }
  })

  test('D10: once the question has ended or a press is on its way, nothing is said about the agent', () => {
    const look = { waiting: true, looked_at: ago(0) }
    expect(row(show({ decision: decidedBy(ANN), look })).words).toBe('Ann chose Reject')
    expect(row(show({ presses: [buildPress(waiting(null))], look })).words).toBe('Approve: sending…')
    expect(row(show({ decision: buildDecision(abandoned), look })).words).toBe('The agent stopped waiting')
  })

  test('D9: an abandoned question says that the agent stopped waiting, and never reads as decided', () => {
    expect(row(show({ decision: buildDecision(abandoned) }))).toEqual({
      state: 'cancelled',
      buttons: 'inactive',
      chosen: null,
      words: 'The agent stopped waiting',
      notes: [],
    })
  })
})

describe('my press on its way', () => {
  const inactive = { buttons: 'inactive', chosen: 'approve' }

  test('my press on its way is being sent', () => {
    const sending = { state: 'sending', ...inactive, words: 'Approve: sending…', notes: [] }
    expect(row(show({ presses: [buildPress(waiting(null))] }))).toEqual(sending)
    // It is stored, and neither the document nor the answer has the outcome yet.
    expect(row(show({ presses: [buildPress({ state: 'sent', awaiting: true })] }))).toEqual(sending)
  })

  test.each<[InteractionProgress, string]>([
    [waiting('unreachable'), 'Approve will be sent when you are online. Nothing is decided yet.'],
    [waiting('busy'), 'Approve: waiting, because the server is busy. Nothing is decided yet.'],
    [waiting('signed-out'), 'Approve: waiting until you have access again. Nothing is decided yet.'],
    [
      { state: 'waiting', trouble: 'limited', until: 0 },
      'Approve: sending again soon. Nothing is decided yet.',
    ],
    [
      { state: 'waiting', trouble: 'limited', until: 0, daily: true },
      'Approve: waiting, because the daily limit is reached. Nothing is decided yet.',
    ],
  ])('a press that waits for %o is queued, and can be taken back', (progress, words) => {
    const queued = { state: 'queued', ...inactive, words: '', notes: [`${words} [Take back]`] }
    expect(row(show({ presses: [buildPress(progress)] }))).toEqual(queued)
  })

  test('my press on its way stays visible beside the outcome until the server has judged it', () => {
    const decision = decidedBy(ANN)
    const decided = { state: 'decided', buttons: 'inactive', chosen: 'reject', words: 'Ann chose Reject' }
    const queued = row(show({ decision, presses: [buildPress(waiting('unreachable'))] }))
    expect(queued).toEqual({ ...decided, notes: ['Approve will be sent when you are online. [Take back]'] })
    const sending = row(show({ decision, presses: [buildPress(waiting(null))] }))
    expect(sending).toEqual({ ...decided, notes: ['Approve: sending… []'] })
  })

  test('my press on its way says nothing more once the document shows that it counts', () => {
    const decision = decidedBy(ANN, 'Approve', 'mine')
    for (const trouble of [null, 'unreachable'] as const)
      expect(row(show({ decision, presses: [buildPress(waiting(trouble))] }))).toEqual({
        state: 'decided',
        buttons: 'inactive',
        chosen: 'approve',
        words: 'You chose Approve',
        notes: [],
      })
  })

  test('a press on an earlier question leaves the buttons of the new one active', () => {
    const decision = buildDecision({ id: 'second', asked_at: ended_at })
    const { buttons, notes } = row(show({ decision, presses: [buildPress(waiting('unreachable'))] }))
    expect([buttons, notes]).toEqual(['active', ['Approve will be sent when you are online. [Take back]']])
  })

  test('my press on its way is gone once it was taken back', () => {
    expect(row(show({ presses: [buildPress({ state: 'hidden' })] }))).toEqual(open)
  })

  test('D5: a press stays taken back while a try fails, but shows what the server decided', () => {
    const hidden = buildPress({ state: 'hidden' })
    expect(withProgress(hidden, waiting('unreachable')).progress).toEqual({ state: 'hidden' })
    expect(withProgress(hidden, { state: 'sent', awaiting: true }).progress.state).toBe('sent')
    const view = show({ decision: decidedBy(ANN, 'Approve', 'mine'), presses: [hidden] })
    expect(row(view).words).toBe('You chose Approve')
  })
})

describe('an ended question', () => {
  const ended = { buttons: 'inactive', notes: [] }

  test('an ended question decided by me says so, and follows the delivery', () => {
    const decision = decidedBy(ANN, 'Approve', 'mine')
    const press = buildPress({ state: 'delivered' }, { decision })
    const view = show({ decision, presses: [press] })
    expect(row(view)).toEqual({ ...ended, state: 'decided', chosen: 'approve', words: 'You chose Approve' })
    expect(view.delivery).toBe(press)
    expect(show({ decision, presses: [press], now: now + 2 * 3_600_000 }).delivery).toBe(null)
    const failed = buildPress({ state: 'failed', delivery: 'why' }, { decision })
    expect(show({ decision, presses: [failed], now: now + 2 * 3_600_000 }).delivery).toBe(failed)
    const dismissed = buildPress({ state: 'hidden' }, { decision })
    expect(show({ decision, presses: [dismissed] }).delivery).toBe(null)
  })

  test("an ended question shows the server's answer before the document has it", () => {
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
  ])('an ended question decided by %o reads: %s', (by, words) => {
    expect(row(show({ decision: decidedBy(by) }))).toEqual({
      ...ended,
      state: 'decided',
      chosen: 'reject',
      words,
    })
  })

  test('D3: expired and cancelled never read as decided', () => {
    const expired = buildDecision({ state: 'expired', ended_at })
    const cancelled = buildDecision({ state: 'cancelled', reason: 'withdrawn', ended_at })
    const words = 'Closed without a decision'
    expect(row(show({ decision: expired }))).toEqual({ ...ended, state: 'expired', chosen: null, words })
    const gone = { ...ended, state: 'cancelled', chosen: null, words: 'No longer needed' }
    expect(row(show({ decision: cancelled }))).toEqual(gone)
  })
})
