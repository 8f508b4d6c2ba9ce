// Claude Code: `PermissionRequest`, and the questions that its agent asks. Everything else goes on in the terminal.
import { z } from 'zod'
import { parse } from '../../shared/invalid.ts'
import { planQuestions } from './ask-user-question.ts'
import {
  type HookHost,
  type HookOptions,
  type HookOutcome,
  type HookPlan,
  type HostName,
  hookEvent,
  toolCall,
} from './hook.ts'
import { askPermission, isSilent, permissionAnswer, permissionRequest, verdictOf } from './permission.ts'
import { grantedBy, offersOf, rememberSelect } from './remember.ts'

const HOST: HostName = { name: 'claude-code', title: 'Claude Code' }
const QUESTIONS = 'AskUserQuestion'
const UNDECIDED: HookPlan = { kind: 'answer', answer: {} }

const withSuggestions = permissionRequest.extend({ permission_suggestions: z.array(z.unknown()).nullish() })

export const claudeCode: HookHost = {
  ...HOST,
  wait_s: 590,
  plan(body, options) {
    switch (parse(hookEvent, body).hook_event_name) {
      case 'PermissionRequest':
        return planPermission(body, options)
      case 'PreToolUse':
        return planTool(body, options)
      default:
        return UNDECIDED
    }
  },
}

function planPermission(body: object, options: HookOptions): HookPlan {
  const call = parse(withSuggestions, body)
  // `PreToolUse` has asked these already.
  if (isSilent(call) || call.tool_name === QUESTIONS) return UNDECIDED
  const offers = options.remember ? offersOf(call.permission_suggestions ?? []) : []
  const { card } = askPermission(HOST, call, rememberSelect(offers), options)
  if (!card) return UNDECIDED
  const answer = (outcome: HookOutcome | null) =>
    permissionAnswer(verdictOf(outcome), grantedBy(offers, outcome))
  return { kind: 'ask', call, card, answer }
}

/** We are no gate here: other tools go on. */
function planTool(body: object, options: HookOptions): HookPlan {
  const call = parse(toolCall, body)
  if (call.tool_name !== QUESTIONS) return UNDECIDED
  return planQuestions(HOST, call, options) ?? UNDECIDED
}
