// Says what somebody did in a channel, in a line, and who it was. Pure.
import type { LogEntry, LogTrigger } from './api.ts'

export const TYPE_WORDS: Record<LogTrigger['type'], string> = {
  button_click: 'Button',
  header_action: 'Header action',
  input_change: 'Input',
  reply: 'Reply',
  test: 'Test',
}

export function triggerWords(trigger: LogTrigger): string {
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

export function personWords({ trigger, by, user }: Pick<LogEntry, 'trigger' | 'by' | 'user'>): string {
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
