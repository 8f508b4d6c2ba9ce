// Texts of the dashboard: interactions and people in the log, and the command of the first run.
import { describe, expect, test } from 'vitest'
import type { WebhookTrigger } from '../../shared/interaction.ts'
import { personText, triggerText } from '../../web/dashboard/interaction-text.ts'
import { pushCommand } from '../../web/dashboard/push-command.ts'

describe('triggerText', () => {
  const region = { type: 'input_change', block_id: 'region', block_type: 'select' } as const
  const change = (value: string | string[] | boolean | null): WebhookTrigger => ({ ...region, value })
  const table: [WebhookTrigger, string][] = [
    [{ type: 'button_click', button_id: 'go', label: 'Go' }, 'Go'],
    [{ type: 'header_action', action_id: 'a', label: 'Freeze' }, 'Freeze'],
    [{ type: 'reply', text: 'On it' }, 'On it'],
    [{ type: 'test' }, 'Sent from the settings'],
    [change('eu'), 'region set to eu'],
    [change(['eu', 'us']), 'region set to eu, us'],
    [change([]), 'region set to nothing'],
    [change(''), 'region set to nothing'],
    [change(null), 'region set to nothing'],
    [change(true), 'region set to on'],
    [change(false), 'region set to off'],
  ]
  test.each(table)('describes %j as %s', (trigger, text) => {
    expect(triggerText(trigger)).toBe(text)
  })
})

describe('personText', () => {
  const user = { id: 'id', name: 'Ann', email: 'ann@example.com' }
  const reply = { type: 'reply', text: 'On it' } as const
  test.each<[string, Parameters<typeof personText>[0]]>([
    ['Ann (ann@example.com), owner', { trigger: reply, user, by: { kind: 'owner', name: 'Ann' } }],
    ['Sam, signed in', { trigger: reply, user: null, by: { kind: 'user', name: 'Sam' } }],
    ['Anonymous', { trigger: reply, user: null, by: { kind: 'anonymous', name: null } }],
    ['Owner', { trigger: { type: 'test' }, user: null, by: { kind: 'anonymous', name: null } }],
  ])('returns %s', (text, entry) => {
    expect(personText(entry)).toBe(text)
  })
})

test('the push command contains the channel and the key', () => {
  const command = pushCommand('https://feed.example', 'c1', 'cf_key')
  expect(command).toContain('https://feed.example/api/v1/channels/c1/cards')
  expect(command).toContain('"Authorization: Bearer cf_key"')
})
