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
export type Actor = { short: string; long: string; kind: 'person' | 'agent' }

/** Null if no person did it, or if it isn't recorded who did. */
export function actorOf({
  trigger,
  by,
  user,
}: Pick<LoggedInteraction, 'trigger' | 'by' | 'user'>): Actor | null {
  if (trigger.type === 'decision_expired' || trigger.type === 'test') return null
  if (by.name === null) return { short: 'Someone', long: 'Someone', kind: 'person' }
  if (by.kind === 'agent') return { short: by.name, long: `${by.name}, an agent`, kind: 'agent' }
  const long = user ? `${by.name} (${user.email})` : `${by.name}, signed in`
  return { short: by.name, long, kind: 'person' }
}

function valueText(value: string | string[] | boolean | null): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : value
}
