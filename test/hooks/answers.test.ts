// What a host is answered: at once, and for every way in which a question ends.
import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../server/hooks/claude-code.ts'
import { codex } from '../../server/hooks/codex.ts'
import { geminiCli } from '../../server/hooks/gemini-cli.ts'
import type { HookHost } from '../../server/hooks/hook.ts'
import { answered, asked, pressed } from './planned.ts'
import { claudePermission, claudeQuestions, codexPermission, geminiTool } from './requests.ts'

describe('requests without a card', () => {
  test.each<[string, HookHost, object]>([
    ['another event of Claude Code', claudeCode, { hook_event_name: 'Stop' }],
    ['another tool before its use', claudeCode, { ...claudeQuestions(), tool_name: 'Bash' }],
    ['a question in a permission request', claudeCode, claudePermission({}, 'AskUserQuestion')],
    [
      'a session without permissions',
      claudeCode,
      { ...claudePermission(), permission_mode: 'bypassPermissions' },
    ],
    ['a session that never asks', claudeCode, { ...claudePermission(), permission_mode: 'dontAsk' }],
    ['another event of Codex', codex, { ...codexPermission(), hook_event_name: 'PreToolUse' }],
    ['a session of Codex that never asks', codex, { ...codexPermission(), permission_mode: 'dontAsk' }],
    ['another event of Gemini CLI', geminiCli, { ...geminiTool(), hook_event_name: 'AfterTool' }],
  ])('%s is answered with an empty object', (_, host, body) => {
    expect(answered(host, body)).toEqual({})
  })

  test('the mode counts only for permission requests', () => {
    expect(answered(claudeCode, { ...claudeQuestions(), permission_mode: 'dontAsk' })).toBeNull()
  })

  test.each<[string, HookHost, object, string]>([
    ['an event', claudeCode, {}, 'hook_event_name is required'],
    ['a session', codex, { ...codexPermission(), session_id: undefined }, 'session_id is required'],
    ['a folder', claudeCode, { ...claudePermission(), cwd: 7 }, 'cwd must be a string'],
    ['a tool', geminiCli, { ...geminiTool(), tool_name: '' }, 'tool_name is required'],
    ['an input', claudeCode, { ...claudePermission(), tool_input: undefined }, 'tool_input is required'],
  ])('a request without %s is refused', (_, host, body, message) => {
    expect(() => answered(host, body)).toThrow(message)
  })
})

describe('ends of a permission request', () => {
  const claude = (decision: object) => ({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  })
  const denied = (reason: string) => ({ decision: 'deny', reason })
  const late = denied('Nobody allowed this in time. Do not retry without asking.')
  const words = { comment: 'not on Friday' }
  const nameless = { by: { ...pressed('deny').by, name: null } }

  test.each<[string, ReturnType<typeof pressed> | null, object, object]>([
    ['allow', pressed('allow'), claude({ behavior: 'allow' }), { decision: 'allow' }],
    [
      'deny',
      pressed('deny'),
      claude({ behavior: 'deny', message: 'Denied by Ann' }),
      denied('Denied by Ann'),
    ],
    [
      'deny with a comment',
      pressed('deny', words),
      claude({ behavior: 'deny', message: 'Denied by Ann: not on Friday' }),
      denied('Denied by Ann: not on Friday'),
    ],
    [
      'deny without a name',
      pressed('deny', nameless),
      claude({ behavior: 'deny', message: 'Denied by somebody' }),
      denied('Denied by somebody'),
    ],
    ['another choice', pressed('Allow'), {}, late],
    ['nothing', null, {}, late],
  ])('the end “%s” has its answer for each host', (_, outcome, forClaude, forGemini) => {
    expect(asked(claudeCode, claudePermission()).answer(outcome)).toEqual(forClaude)
    expect(asked(codex, codexPermission()).answer(outcome)).toEqual(forClaude)
    expect(asked(geminiCli, geminiTool()).answer(outcome)).toEqual(forGemini)
  })
})
