// Texts of the dashboard: interactions and people in the log, and the command of the first run.
import { describe, expect, test } from 'vitest'
import type { WebhookTrigger } from '../../shared/interaction.ts'
import { actorOf, triggerText } from '../../web/dashboard/interaction-text.ts'
import { pushCommand } from '../../web/dashboard/push-command.ts'

describe('triggerText', () => {
  const region = { type: 'input_change', block_id: 'region', block_type: 'select' } as const
  const change = (value: string | string[] | boolean | null): WebhookTrigger => ({ ...region, value })
  const table: [WebhookTrigger, string][] = [
    [{ type: 'button_click', button_id: 'go', label: 'Go' }, 'Go'],
    [{ type: 'header_action', action_id: 'a', label: 'Freeze' }, 'Freeze'],
    [{ type: 'reply', text: 'On it' }, 'On it'],
    [{ type: 'test' }, 'Test from the settings'],
    [{ type: 'decision_expired', block_id: 'ask' }, 'Closed without a decision'],
    [change('eu'), 'Set region to eu'],
    [change(['eu', 'us']), 'Set region to eu, us'],
    [change([]), 'Set region to nothing'],
    [change(''), 'Set region to nothing'],
    [change(null), 'Set region to nothing'],
    [change(true), 'Set region to on'],
    [change(false), 'Set region to off'],
  ]
  test.each(table)('triggerText describes %j as %s', (trigger, text) => {
    expect(triggerText(trigger)).toBe(text)
  })
})

describe('actorOf', () => {
  const user = { id: 'id', name: 'Ann', email: 'ann@example.com' }
  const reply = { type: 'reply', text: 'On it' } as const
  const nobody = { kind: 'anonymous', name: null, user_id: null } as const
  const named = (kind: 'owner' | 'member' | 'user', name: string) => ({ kind, name, user_id: 'id' })
  test.each<[string | undefined, string | undefined, Parameters<typeof actorOf>[0]]>([
    ['Ann', 'Ann (ann@example.com)', { trigger: reply, user, by: named('owner', 'Ann') }],
    ['Mia', 'Mia (ann@example.com)', { trigger: reply, user, by: named('member', 'Mia') }],
    ['Sam', 'Sam, signed in', { trigger: reply, user: null, by: named('user', 'Sam') }],
    ['Someone', 'Someone', { trigger: reply, user: null, by: nobody }],
    [undefined, undefined, { trigger: { type: 'test' }, user: null, by: nobody }],
    [
      undefined,
      undefined,
      { trigger: { type: 'decision_expired', block_id: 'ask' }, user: null, by: nobody },
    ],
  ])('actorOf returns %s, in full %s', (short, long, entry) => {
    const actor = actorOf(entry)
    expect([actor?.short, actor?.long]).toEqual([short, long])
  })
})

test('the push command contains the channel and the key', () => {
  const command = pushCommand('https://feed.example', 'c1', 'cf_key')
  expect(command).toContain('https://feed.example/api/v1/channels/c1/cards')
  expect(command).toContain('"Authorization: Bearer cf_key"')
})
