// Gemini CLI: `BeforeTool`, before every tool call. It goes on if a hook says nothing, so whatever isn't allowed is denied.
import { parse } from '../../shared/invalid.ts'
import { type HookHost, type HookOutcome, hookEvent, toolCall } from './hook.ts'
import { askPermission, verdictOf } from './permission.ts'

const TITLE = 'Gemini CLI'
const NOBODY = 'Nobody allowed this in time. Do not retry without asking.'

export const geminiCli: HookHost = {
  title: TITLE,
  wait_s: 50,
  plan(body, options) {
    if (parse(hookEvent, body).hook_event_name !== 'BeforeTool') return { kind: 'answer', answer: {} }
    const call = parse(toolCall, body)
    const { card, reason } = askPermission(TITLE, call, [], options)
    if (!card) return { kind: 'answer', answer: denial(reason) }
    const { session_id, tool_use_id = null } = call
    return { kind: 'ask', card, session_id, tool_use_id, answer: answerOf }
  },
}

function answerOf(outcome: HookOutcome | null): object {
  const verdict = verdictOf(outcome)
  switch (verdict.kind) {
    case 'allow':
      return { decision: 'allow' }
    case 'deny':
      return denial(verdict.message)
    case 'none':
      return denial(NOBODY)
  }
}

const denial = (reason: string) => ({ decision: 'deny', reason })
