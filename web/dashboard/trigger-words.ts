// Says what somebody did in a channel, in a line, and who it was. Pure.
import type { Person, WebhookTrigger } from '../../shared/interaction.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'

export const TYPE_WORDS: Record<WebhookTrigger['type'], string> = {
  button_click: 'Button',
  header_action: 'Header action',
  input_change: 'Input',
  reply: 'Reply',
  test: 'Test',
}

export function triggerWords(trigger: WebhookTrigger): string {
  switch (trigger.type) {
    case 'button_click':
    case 'header_action':
      return trigger.label
    case 'input_change':
      return `${trigger.block_id} set to ${valueWords(trigger.value)}`
    case 'reply':
      return trigger.text
    case 'test':
      return 'Sent from the settings'
  }
}

export function personWords({
  trigger,
  by,
  user,
}: Pick<LoggedInteraction, 'trigger' | 'user'> & { by: Person }): string {
  // Only the owner sends tests.
  if (trigger.type === 'test') return 'Owner'
  switch (by.kind) {
    case 'owner':
      return user ? `${by.name} (${user.email}), owner` : `${by.name}, owner`
    case 'user':
      return `${by.name}, signed in`
    case 'anonymous':
      return 'Someone without a name'
  }
}

function valueWords(value: string | string[] | boolean | null): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : value
}
