// Permission from now on: which suggestions of Claude Code a card offers, and what goes back to it.
import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../server/hooks/claude-code.ts'
import { asked, pressed } from './planned.ts'
import { claudePermission, npmTest } from './requests.ts'

const request = (permission_suggestions: unknown) => ({ ...claudePermission(), permission_suggestions })
const remember = (suggestions: unknown) => asked(claudeCode, request(suggestions), { remember: true })

/** The options of the select; null without one. */
function offered(suggestions: unknown): { value: string; label: string }[] | null {
  const select = remember(suggestions).card.blocks.find(({ id }) => id === 'remember')
  return select?.type === 'select' ? select.options : null
}

const wordsOf = (suggestion: unknown) => offered([suggestion])?.[1]?.label

describe('offer', () => {
  test('the default is this one time', () => {
    expect(remember([npmTest]).card.blocks).toContainEqual(
      expect.objectContaining({
        type: 'select',
        value: 'once',
        options: [
          { value: 'once', label: 'Only this time' },
          {
            value: 'suggestion-0',
            label: 'Always allow Bash(npm test) · this project, only on this machine',
          },
        ],
      }),
    )
  })

  test.each([
    [{ ...npmTest, destination: 'session' }, 'Always allow Bash(npm test) · this session'],
    [
      { ...npmTest, rules: [{ toolName: 'Read' }, { toolName: 'Bash', ruleContent: 'ls:*' }] },
      'Always allow Read, Bash(ls:*) · this project, only on this machine',
    ],
    [
      { type: 'addDirectories', directories: ['/srv', '/tmp'], destination: 'projectSettings' },
      'Always allow work in /srv, /tmp · this project, for everybody who works on it',
    ],
    [
      { type: 'setMode', mode: 'acceptEdits', destination: 'userSettings' },
      'Always allow edits · all my projects on this machine',
    ],
  ])('%j is offered in plain words', (suggestion, words) => {
    expect(wordsOf(suggestion)).toBe(words)
  })

  test.each<[string, unknown]>([
    ['a mode that asks nobody', { type: 'setMode', mode: 'bypassPermissions', destination: 'session' }],
    ['a rule that denies', { ...npmTest, behavior: 'deny' }],
    ['rules that replace others', { ...npmTest, type: 'replaceRules' }],
    ['a rule without a place', { ...npmTest, destination: undefined }],
    ['a place that we have no words for', { ...npmTest, destination: 'cliArg' }],
    ['a field that the words do not mention', { ...npmTest, also: ['Write'] }],
    ['a rule with a field more', { ...npmTest, rules: [{ toolName: 'Bash', ruleContent: 'ls', any: true }] }],
    ['no rules', { ...npmTest, rules: [] }],
    ['hidden characters', { ...npmTest, rules: [{ toolName: 'Bash', ruleContent: 'ls \u202e' }] }],
    ['more than 200 characters', { ...npmTest, rules: [{ toolName: 'Bash', ruleContent: 'x'.repeat(145) }] }],
    ['a text', 'Bash'],
  ])('%s is not offered', (_, suggestion) => {
    expect(offered([suggestion])).toBeNull()
  })

  test('at most five are offered, and those that are not don’t count', () => {
    const rules = Array.from({ length: 7 }, (_, i) => ({
      ...npmTest,
      rules: [{ toolName: 'Bash', ruleContent: `echo ${i}` }],
    }))
    const labels = offered(['no', ...rules])?.map(({ label }) => label.slice(0, 24))
    expect(labels).toEqual(['Only this time', ...[0, 1, 2, 3, 4].map(i => `Always allow Bash(echo ${i}`)])
  })

  test('nothing is offered unless the address asks for it', () => {
    expect(asked(claudeCode, claudePermission()).card.blocks.map(({ id }) => id)).not.toContain('remember')
    expect(offered(null)).toBeNull()
  })
})

describe('answer', () => {
  const { answer } = remember([{ ...npmTest, destination: 'session' }, npmTest])
  const press = (button: string, chosen: string | null) =>
    answer(pressed(button, { values: { remember: chosen } }))
  const allow = (more: object) => ({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow', ...more } },
  })

  test('the chosen suggestion goes back unchanged', () => {
    expect(press('allow', 'suggestion-1')).toEqual(allow({ updatedPermissions: [npmTest] }))
  })

  test.each(['once', 'suggestion-2', null])('%s allows only this time', chosen => {
    expect(press('allow', chosen)).toEqual(allow({}))
  })

  test('a denial remembers nothing', () => {
    expect(JSON.stringify(press('deny', 'suggestion-1'))).not.toContain('updatedPermissions')
  })

  test('a suggestion that was not offered is never chosen', () => {
    const { answer } = asked(claudeCode, request([npmTest]))
    expect(answer(pressed('allow', { values: { remember: 'suggestion-0' } }))).toEqual(allow({}))
  })
})
