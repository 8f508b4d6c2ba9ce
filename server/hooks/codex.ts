// Codex: `PermissionRequest`, in the form of Claude Code's. It takes no other field of an answer than behavior and message.
import { parse } from '../../shared/invalid.ts'
import { type HookHost, hookEvent } from './hook.ts'
import { askPermission, isSilent, permissionAnswer, permissionRequest, verdictOf } from './permission.ts'

const TITLE = 'Codex'

export const codex: HookHost = {
  title: TITLE,
  wait_s: 590,
  plan(body, options) {
    const undecided = { kind: 'answer', answer: {} } as const
    if (parse(hookEvent, body).hook_event_name !== 'PermissionRequest') return undecided
    const call = parse(permissionRequest, body)
    if (isSilent(call)) return undecided
    const { card } = askPermission(TITLE, call, [], options)
    if (!card) return undecided
    const { session_id, tool_use_id = null } = call
    return {
      kind: 'ask',
      card,
      session_id,
      tool_use_id,
      answer: outcome => permissionAnswer(verdictOf(outcome)),
    }
  },
}
