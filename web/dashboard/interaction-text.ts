// Describes an interaction of the log, and the person who sent it, in one line.
import type { Person, WebhookTrigger } from '../../shared/interaction.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'

export const TYPE_LABELS: Record<WebhookTrigger['type'], string> = {
  button_click: 'Button',
  header_action: 'Header action',
  input_change: 'Input',
  reply: 'Reply',
  decision_expired: 'Question expired',
  test: 'Test',
}

export function triggerText(trigger: WebhookTrigger): string {
  switch (trigger.type) {
    case 'button_click':
    case 'header_action':
      return trigger.label
    case 'input_change':
      return `${trigger.block_id} set to ${valueText(trigger.value)}`
    case 'reply':
      return trigger.text
    case 'decision_expired':
      return `Nobody decided in time (${trigger.block_id})`
    case 'test':
      return 'Sent from the settings'
  }
}

export function personText(
  entry: Pick<LoggedInteraction, 'trigger' | 'user'> & {
    by: Person | { kind: 'agent'; name: string }
  },
): string {
  const { trigger, by, user } = entry
  if (trigger.type === 'test') return 'Owner'
  if (trigger.type === 'decision_expired') return 'Nobody'
  switch (by.kind) {
    case 'owner':
      return user ? `${by.name} (${user.email}), owner` : `${by.name}, owner`
    case 'user':
      return `${by.name}, signed in`
    case 'agent':
      return `${by.name}, agent`
    case 'anonymous':
      return 'Anonymous'
  }
}

function valueText(value: string | string[] | boolean | null): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : value
}
