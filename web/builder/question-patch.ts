// The PATCH that gives a stored question new settings. Pure. The rules are in server/decisions/rules.ts.
import type { Decision, NewDecision } from '../../shared/decision.ts'
import { QUESTION_DEFAULTS } from './strip-defaults.ts'

type Settings = Omit<NewDecision, 'id'>

/** Null: nothing to change. A string ends the sentence that says why no patch can make the change. */
export function questionPatch(
  before: Decision | undefined,
  after: NewDecision | null | undefined,
): Settings | string | null {
  if (!after) return before ? 'can’t be removed.' : null
  const settings = changedSettings(before, after)
  // The new question doesn't take the old deadline, which may have passed.
  if (before && before.state !== 'waiting' && after.reopen)
    return { reopen: true, ...settings, ...deadlineOf(after) }
  const changes = { ...settings, ...changedDeadline(before, after) }
  if (!before) return changes
  const isChanged = Object.keys(changes).length > 0
  if (before.state === 'waiting') return isChanged ? changes : null
  return isChanged ? 'has ended. Turn on “Ask again”.' : null
}

const SETTINGS = ['key', 'who', 'agents', 'comment', 'if_changed', 'approves', 'abandon'] as const

/** The addresses of a stored question aren't known here, so a list always counts as a change. */
function changedSettings(before: Decision | undefined, after: NewDecision): Settings {
  const old = before ?? QUESTION_DEFAULTS
  const changed = SETTINGS.map(name => [name, after[name] ?? QUESTION_DEFAULTS[name]] as const)
  return Object.fromEntries(changed.filter(([name, value]) => value !== old[name]))
}

function changedDeadline(before: Decision | undefined, after: NewDecision): Settings {
  if (typeof after.expires_in === 'number') return deadlineOf(after)
  const at = after.expires_at ?? null
  const old = before?.expires_at ?? null
  if (at === null) return before?.state === 'waiting' && old !== null ? { expires_at: null } : {}
  return old !== null && Date.parse(at) === Date.parse(old) ? {} : { expires_at: at }
}

const deadlineOf = ({ expires_at, expires_in }: NewDecision): Settings =>
  typeof expires_in === 'number' ? { expires_in } : { expires_at: expires_at ?? null }
