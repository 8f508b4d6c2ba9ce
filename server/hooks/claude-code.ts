// Claude Code: `PermissionRequest`, and the questions that its agent asks. Everything else goes on in the terminal.
import { z } from 'zod'
import { parse } from '../../shared/invalid.ts'
import { planQuestions } from './ask-user-question.ts'
import { type HookHost, type HookOptions, type HookPlan, hookEvent, toolCall } from './hook.ts'
import { askPermission, isSilent, permissionAnswer, permissionRequest, verdictOf } from './permission.ts'
import { grantedBy, offersOf, rememberSelect } from './remember.ts'

const TITLE = 'Claude Code'
const QUESTIONS = 'AskUserQuestion'
const UNDECIDED: HookPlan = { kind: 'answer', answer: {} }

const withSuggestions = permissionRequest.extend({ permission_suggestions: z.array(z.unknown()).nullish() })

export const claudeCode: HookHost = {
  title: TITLE,
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
  const { card } = askPermission(TITLE, call, rememberSelect(offers), options)
  if (!card) return UNDECIDED
  return {
    kind: 'ask',
    card,
    session_id: call.session_id,
    tool_use_id: call.tool_use_id ?? null,
    answer: outcome => permissionAnswer(verdictOf(outcome), grantedBy(offers, outcome)),
  }
}

/** We are no gate here: other tools go on. */
function planTool(body: object, options: HookOptions): HookPlan {
  const call = parse(toolCall, body)
  if (call.tool_name !== QUESTIONS) return UNDECIDED
  return planQuestions(TITLE, call, options) ?? UNDECIDED
}
