// What the dashboard says of interactions, and the line that it gives to a shell.
import { describe, expect, test } from 'vitest'
import type { WebhookTrigger } from '../../shared/interaction.ts'
import { pushCommand } from '../../web/dashboard/push-command.ts'
import { personWords, triggerWords } from '../../web/dashboard/trigger-words.ts'

describe('a trigger in words', () => {
  const change = (value: string | string[] | boolean | null): WebhookTrigger => ({
    type: 'input_change',
    block_id: 'region',
    block_type: 'select',
    value,
  })
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
  test.each(table)('%j is %s', (trigger, words) => {
    expect(triggerWords(trigger)).toBe(words)
  })
})

describe('a person in words', () => {
  const user = { id: 'id', name: 'Ann', email: 'ann@example.com' }
  const reply = { type: 'reply', text: 'On it' } as const
  test.each<[string, Parameters<typeof personWords>[0]]>([
    ['Ann (ann@example.com), owner', { trigger: reply, user, by: { kind: 'owner', name: 'Ann' } }],
    ['Sam, signed in', { trigger: reply, user: null, by: { kind: 'user', name: 'Sam' } }],
    ['Someone without a name', { trigger: reply, user: null, by: { kind: 'anonymous', name: null } }],
    ['Owner', { trigger: { type: 'test' }, user: null, by: { kind: 'anonymous', name: null } }],
  ])('%s', (words, entry) => {
    expect(personWords(entry)).toBe(words)
  })
})

test('the line names the channel and the key', () => {
  const line = pushCommand('https://feed.example', 'c1', 'cf_key')
  expect(line).toContain('https://feed.example/api/v1/channels/c1/cards')
  expect(line).toContain('"Authorization: Bearer cf_key"')
})
