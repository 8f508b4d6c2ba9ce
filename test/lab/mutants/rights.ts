// Mistakes in who may see or decide, and in what becomes of questions.
import type { Mutants } from './mutant.ts'

export const RIGHT_MUTANTS: Mutants = {
  'accept-second-press': {
    checker: 'presses',
    promise: 'D1',
    changes: [
      { in: 'judgePress', replace: "if (decision.state !== 'waiting') throw pressRefusal(decision, shown)" },
    ],
  },
  'believe-claimed-time': {
    checker: 'decisions',
    promise: 'D3',
    changes: [{ in: 'judgePress', replace: 'Date.parse(now)', by: 'Date.parse(press.timestamp)' }],
  },
  'deaf-wait': {
    checker: 'waits',
    promise: 'D2',
    changes: [{ in: 'DecisionWaits.remove', replace: 'this.#channels.delete(channel_id)' }],
  },
  'outcome-only-in-document': {
    checker: 'decisions',
    promise: 'D6',
    changes: [
      {
        in: 'writeDecisions',
        replace: 'const rows = records',
        by: "const rows = records.filter(({ decision }) => decision.state !== 'decided')",
      },
    ],
  },
  'public-before-hidden': {
    checker: 'hidden',
    promise: 'D7',
    changes: [{ in: 'tryPatch', replace: 'if (!before.hides) throw new NotHidden()' }],
  },
  'stream-outlives-key': {
    checker: 'rights',
    promise: 'P10',
    changes: [{ in: 'dispatch', replace: 'streams.endWhere(({ key }) => key?.id === notice.key_id)' }],
  },
  'trust-deleted-key': {
    checker: 'rights',
    promise: 'P10',
    changes: [{ in: 'createKeyRing', replace: 'cache.forgetWhere(key => key.id === key_id)', by: '{}' }],
  },
  'trust-removed-role': {
    checker: 'rights',
    promise: 'P10',
    changes: [
      {
        in: 'createRoles',
        replace: 'cache.forgetWhere(held => held.workspace_id === workspace_id && held.user_id === user_id)',
        by: '{}',
      },
    ],
  },
  'wait-outlives-role': {
    checker: 'rights',
    promise: 'P10',
    changes: [
      {
        in: 'checkOpenRequests',
        replace: 'waits.checkWhere(({ caller }) => applies(caller.user_id)).catch(failed)',
      },
    ],
  },
  'wait-outlives-session': {
    checker: 'rights',
    promise: 'P10',
    changes: [
      {
        in: 'dispatch',
        replace: 'waits.refuseWhere(({ caller }) => caller.session_id === notice.session_id, unauthorized)',
      },
    ],
  },
}
