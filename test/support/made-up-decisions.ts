// Answers about a question, in every combination of their fields, even those that the service never gives.
import type { FullDecision } from '../../shared/decision.ts'

export const CHOICES: [string, string] = ['approve', 'reject']
const AT = '2026-01-31T12:00:00.000Z'
const URL = 'http://feed.example.com/c/channel?card=card'

/** The response to the card that asks. */
export const CREATED_CARD = {
  id: 'card',
  channel_id: 'channel',
  created_at: AT,
  decisions: [{ id: 'decision', block_id: 'ask', state: 'waiting', url: URL }],
}

/** As a service would answer that keeps no rule: any choice may have been pressed in any state, and any may approve. */
export function decisionWith(
  state: FullDecision['state'],
  pressed: string | null,
  approves: string | null,
): FullDecision {
  return {
    id: 'decision',
    key: null,
    state,
    asked_at: AT,
    expires_at: null,
    who: 'anyone',
    agents: false,
    comment: 'optional',
    if_changed: 'refuse',
    approves,
    abandon: 'keep',
    ended_at: state === 'waiting' ? null : AT,
    reason: state === 'cancelled' ? 'withdrawn' : null,
    channel_id: 'channel',
    card_id: 'card',
    block_id: 'ask',
    choices: CHOICES.map(id => ({ id, label: id, style: 'secondary' })),
    asked_by: { kind: 'agent', name: 'bot' },
    url: URL,
    outcome: pressed === null ? null : outcomeOf(pressed),
  }
}

const outcomeOf = (button_id: string): NonNullable<FullDecision['outcome']> => ({
  button_id,
  label: button_id,
  by: { kind: 'owner', name: 'Ann', user_id: 'ann', api_key_id: null },
  comment: 'go ahead',
  timestamp: AT,
  interaction_id: 'interaction',
  values: { 'arg:to': 'web-1' },
  seen: AT,
  card_updated_at: AT,
  jws: null,
})
