// Codex: `PermissionRequest`, in the form of Claude Code's. It takes no other field of an answer than behavior and message.
import { parse } from '../../shared/invalid.ts'
import { type HookHost, type HostName, hookEvent } from './hook.ts'
import { askPermission, isSilent, permissionAnswer, permissionRequest, verdictOf } from './permission.ts'

const HOST: HostName = { name: 'codex', title: 'Codex' }

export const codex: HookHost = {
  ...HOST,
  wait_s: 590,
  plan(body, options) {
    const undecided = { kind: 'answer', answer: {} } as const
    if (parse(hookEvent, body).hook_event_name !== 'PermissionRequest') return undecided
    const call = parse(permissionRequest, body)
    if (isSilent(call)) return undecided
    const { card } = askPermission(HOST, call, [], options)
    if (!card) return undecided
    return { kind: 'ask', call, card, answer: outcome => permissionAnswer(verdictOf(outcome)) }
  },
}
