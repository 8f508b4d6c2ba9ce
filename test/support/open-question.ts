import type { Decision } from '../../shared/decision.ts'

/** What a question has that was asked with `{}`, besides its id and its time. */
export const OPEN_QUESTION = {
  key: null,
  state: 'waiting',
  expires_at: null,
  who: 'anyone',
  agents: false,
  comment: 'none',
  if_changed: 'accept',
  approves: null,
  abandon: 'keep',
  ended_at: null,
  reason: null,
  outcome: null,
} satisfies Partial<Decision>
