// Fail closed: of all ends of a question, only a press on the choice named in `approves` is approved.
import { expect, test } from 'vitest'
import { describeQuestion } from '../../client/mcp/decision-result.ts'
import { decided } from '../../server/routes/examples.ts'
import { DECISION_STATES, fullDecision } from '../../shared/decision.ts'

const CHOICES = ['yes', 'no', 'later']
const example = fullDecision.parse(decided)

/** Every state with every pressed button, even where no state has one. */
const ends = DECISION_STATES.flatMap(state => [...CHOICES, null].map(pressed => ({ state, pressed })))

function isApproved(approves: string | null, { state, pressed }: (typeof ends)[number]): boolean {
  const outcome = pressed === null ? null : { ...example.outcome, button_id: pressed }
  const decision = fullDecision.parse({ ...example, state, approves, outcome })
  return describeQuestion({ decision, state }, {}).approved
}

test.each(CHOICES)(
  'of all states and choices, only `decided` with %s is approved if that approves',
  approves => {
    const approved = ends.filter(end => isApproved(approves, end))
    expect(approved).toEqual([{ state: 'decided', pressed: approves }])
  },
)

test('nothing is approved if no choice approves', () => {
  expect(ends.filter(end => isApproved(null, end))).toEqual([])
})

test('a decision that is cancelled meanwhile is not approved', () => {
  const question = { decision: { ...example, approves: 'ship' }, state: 'cancelled' as const }
  expect(describeQuestion(question, {})).toMatchObject({ status: 'cancelled', approved: false, choice: null })
})
