// Describes an interaction of the log, and who sent it, in a few words.
import type { WebhookTrigger } from '../../shared/interaction.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'

type Type = WebhookTrigger['type']

export const TYPE_LABELS: Record<Type, string> = {
  button_click: 'Button',
  header_action: 'Header action',
  input_change: 'Input',
  reply: 'Reply',
  decision_expired: 'Closed',
  test: 'Test',
}

export function triggerText(trigger: WebhookTrigger): string {
  switch (trigger.type) {
    case 'button_click':
    case 'header_action':
      return trigger.label
    case 'input_change':
      return `Set ${trigger.block_id} to ${valueText(trigger.value)}`
    case 'reply':
      return trigger.text
    case 'decision_expired':
      return 'Closed without a decision'
    case 'test':
      return 'Test from the settings'
  }
}

/** `short` fits into a column; `long` says what is known. */
export type Actor = { short: string; long: string; kind: 'owner' | 'agent' | 'other' }

/** Null if no person did it. */
export function actorOf({
  trigger,
  by,
  user,
}: Pick<LoggedInteraction, 'trigger' | 'by' | 'user'>): Actor | null {
  if (trigger.type === 'decision_expired') return null
  if (trigger.type === 'test') return { short: 'You', long: 'You', kind: 'owner' }
  if (by.name === null) return { short: 'Someone', long: 'Someone', kind: 'other' }
  if (by.kind === 'agent') return { short: by.name, long: `${by.name}, an agent`, kind: 'agent' }
  if (by.kind !== 'owner') return { short: by.name, long: `${by.name}, signed in`, kind: 'other' }
  return { short: by.name, long: user ? `${by.name} (${user.email})` : by.name, kind: 'owner' }
}

function valueText(value: string | string[] | boolean | null): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : value
}
