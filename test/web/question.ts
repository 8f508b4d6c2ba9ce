// Questions and presses for the tests of what a question shows.
import type { Decision } from '../../shared/decision.ts'
import { type DecisionView, decisionView, type Situation } from '../../web/card/decision/decision-view.ts'
import type { InteractionProgress, LocalInteraction } from '../../web/data/outbox/interaction.ts'
import { plain } from '../../web/data/outbox/press-text.ts'
import { OPEN_QUESTION } from '../support/open-question.ts'

export const asked_at = '2026-11-22T14:00:00.000Z'
export const ended_at = '2026-11-22T14:02:00.000Z'
export const now = Date.parse(asked_at) + 60_000

export function buildDecision(over: Partial<Decision> = {}): Decision {
  return {
    ...OPEN_QUESTION,
    id: 'first',
    asked_at,
    ...over,
  }
}

export type By = NonNullable<Decision['outcome']>['by']
export const ANN: By = { kind: 'owner', name: 'Ann' }

export const decidedBy = (by: By, label = 'Reject', act = 'theirs'): Decision =>
  buildDecision({
    state: 'decided',
    ended_at,
    outcome: { button_id: label.toLowerCase(), label, by, comment: null, timestamp: ended_at, act },
  })

export function buildPress(
  progress: InteractionProgress,
  over: Partial<LocalInteraction> = {},
): LocalInteraction {
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

export const waiting = (trouble: 'unreachable' | 'busy' | 'signed-out' | null): InteractionProgress => ({
  state: 'waiting',
  trouble,
})
export const refused = (code: string, decision?: Decision, over: Partial<LocalInteraction> = {}) =>
  buildPress(
    { state: 'refused', failure: { message: 'why', code } },
    { ...(decision && { decision }), ...over },
  )

export function show(over: Partial<Situation>): DecisionView {
  return decisionView({
    decision: buildDecision(),
    presses: [],
    isMine: ({ act }) => act === 'mine',
    isSentHere: act => act === 'mine',
    permission: 'yes',
    chosen: [],
    name: null,
    readOnly: false,
    offline: false,
    look: undefined,
    now,
    ...over,
  })
}

/** A row of the table: what is shown, and which buttons. */
export function row(view: DecisionView) {
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
