// Asks whether an agent may use a tool: one press for one call.
import { z } from 'zod'
import {
  type Choices,
  type HookBlock,
  type HookCard,
  type HookOptions,
  type HookOutcome,
  type HostName,
  hookCard,
  type ToolCall,
  toolCall,
} from './hook.ts'
import { shownCall } from './shown-call.ts'

const CHOICES: Choices = {
  buttons: [
    { id: 'allow', label: 'Allow', style: 'primary' },
    { id: 'deny', label: 'Deny', style: 'danger', comment: 'optional' },
  ],
  approves: 'allow',
}

/** The event `PermissionRequest` of Claude Code and Codex. */
export const permissionRequest = toolCall.extend({ permission_mode: z.string().nullish() })

/** In these modes, the host asks nobody. */
export const isSilent = ({ permission_mode }: z.output<typeof permissionRequest>) =>
  permission_mode === 'bypassPermissions' || permission_mode === 'dontAsk'

export type AskedPermission = { card: HookCard; reason: null } | { card: null; reason: string }

/** `reason`: why there is no card. `inputs`: more blocks to fill in. */
export function askPermission(
  host: HostName,
  call: ToolCall,
  inputs: HookBlock[],
  options: HookOptions,
): AskedPermission {
  const { blocks, reason } = shownCall(host.title, call, inputs.length > 0)
  if (blocks === null) return { card: null, reason }
  const card = hookCard(host, call, [...blocks, ...inputs], CHOICES, options)
  return card ? { card, reason: null } : { card: null, reason: 'The request is too long to show' }
}

export type Verdict = { kind: 'allow' } | { kind: 'deny'; message: string } | { kind: 'none' }

export function verdictOf(outcome: HookOutcome | null): Verdict {
  switch (outcome?.button_id) {
    case 'allow':
      return { kind: 'allow' }
    case 'deny':
      return { kind: 'deny', message: denialOf(outcome) }
    default:
      return { kind: 'none' }
  }
}

/** `granted`: fields beside `allow`. */
export function permissionAnswer(verdict: Verdict, granted: object = {}): object {
  switch (verdict.kind) {
    case 'allow':
      return answerOf({ behavior: 'allow', ...granted })
    case 'deny':
      return answerOf({ behavior: 'deny', message: verdict.message })
    case 'none':
      return {}
  }
}

const answerOf = (decision: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
})

const denialOf = ({ by, comment }: HookOutcome) =>
  `Denied by ${by.name ?? 'somebody'}${comment ? `: ${comment}` : ''}`
