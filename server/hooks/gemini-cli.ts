// Gemini CLI: `BeforeTool`, before every tool call. It goes on if a hook says nothing, so whatever isn't allowed is denied.
import { parse } from '../../shared/invalid.ts'
import { type HookHost, type HookOutcome, type HostName, hookEvent, toolCall } from './hook.ts'
import { askPermission, verdictOf } from './permission.ts'

const HOST: HostName = { name: 'gemini-cli', title: 'Gemini CLI' }
const NOBODY = 'Nobody allowed this in time. Do not retry without asking.'

export const geminiCli: HookHost = {
  ...HOST,
  wait_s: 50,
  plan(body, options) {
    if (parse(hookEvent, body).hook_event_name !== 'BeforeTool') return { kind: 'answer', answer: {} }
    const call = parse(toolCall, body)
    const { card, reason } = askPermission(HOST, call, [], options)
    if (!card) return { kind: 'answer', answer: denial(reason) }
    return { kind: 'ask', call, card, answer: answerOf }
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
