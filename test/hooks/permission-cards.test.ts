// Permission to use a tool: what the card of each host shows.
import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../server/hooks/claude-code.ts'
import { codex } from '../../server/hooks/codex.ts'
import { geminiCli } from '../../server/hooks/gemini-cli.ts'
import type { HookHost } from '../../server/hooks/hook.ts'
import { answered, asked, textsOf } from './planned.ts'
import { claudePermission, codexPermission, geminiTool } from './requests.ts'

const TITLE = 'Claude Code a1b2 · Bash in /home/ann/shop'

describe('card', () => {
  test('Claude Code asks with the whole command, the other fields and its description', () => {
    const { card } = asked(claudeCode, claudePermission())
    expect(card).toEqual({
      status: 'pending',
      blocks: [
        { type: 'text', id: 'title', content: TITLE, size: 'md', bold: false },
        { type: 'text', id: 'argument-0', content: 'npm test', size: 'md', bold: false },
        { type: 'text', id: 'argument-1', content: '{\n  "timeout": 120000\n}', size: 'md', bold: false },
        { type: 'text', id: 'description', content: 'It says: Run the tests', size: 'md', bold: false },
        {
          type: 'button',
          id: 'ask',
          buttons: [
            { id: 'allow', label: 'Allow', style: 'primary', disabled: false },
            { id: 'deny', label: 'Deny', style: 'danger', disabled: false, comment: 'optional' },
          ],
        },
      ],
      questions: [
        {
          block_id: 'ask',
          path: ['blocks', 4, 'decision'],
          settings: {
            key: null,
            approves: 'allow',
            abandon: 'cancel',
            if_changed: 'refuse',
            agents: false,
            expires_in: 590,
            who: ['ann@example.com'],
          },
        },
      ],
    })
  })

  test('the key of a question names its call, by the first 100 characters of each id', () => {
    const keyOf = (body: object) => asked(claudeCode, body).card.questions?.[0]?.settings.key
    const ids = { session_id: `${'😀'.repeat(100)}x`, tool_use_id: `${'y'.repeat(100)}z` }
    expect(keyOf({ ...claudePermission(), ...ids })).toBe(
      `claude-code/${'😀'.repeat(100)}/${'y'.repeat(100)}`,
    )
    expect(keyOf(claudePermission())).toBeNull()
  })

  test.each<[string, HookHost, object, string[]]>([
    ['Codex', codex, codexPermission(), ['Codex 019b · Bash in /home/ann/crate', 'cargo publish']],
    [
      'Gemini CLI',
      geminiCli,
      geminiTool(),
      [
        'Gemini CLI 7f3e · run_shell_command in /home/ann/site',
        '{\n  "command": "rm -r dist",\n  "description": "Remove the build"\n}',
      ],
    ],
    [
      'a subagent',
      claudeCode,
      { ...claudePermission({ command: 'ls' }), agent_id: 'a7', agent_type: 'Explore' },
      ['Claude Code a1b2 · Explore · Bash in /home/ann/shop', 'ls'],
    ],
  ])('the card of %s names it, and shows the call', (_, host, body, texts) => {
    expect(textsOf(asked(host, body))).toEqual(texts)
  })

  test.each<[string, unknown, string[]]>([
    ['Write', { file_path: '/a.txt', content: 'one\ntwo' }, ['/a.txt', 'one\ntwo']],
    [
      'Edit',
      { file_path: '/a.txt', old_string: 'one', new_string: 'two', replace_all: true },
      ['/a.txt', 'one', 'two', '{\n  "replace_all": true\n}'],
    ],
    [
      'Edit',
      { file_path: '/a', old_string: 'one', new_string: '' },
      ['/a', 'one', '{\n  "new_string": ""\n}'],
    ],
    ['PowerShell', { command: 'Get-Item .' }, ['Get-Item .']],
    ['ExitPlanMode', { plan: '# Plan\n\n1. Build' }, ['# Plan\n\n1. Build']],
    ['mcp__mail__send', { to: 'bob', description: 'hi' }, ['{\n  "to": "bob",\n  "description": "hi"\n}']],
    ['Bash', { command: ['rm', '-r'] }, ['{\n  "command": [\n    "rm",\n    "-r"\n  ]\n}']],
    ['mcp__clock__now', {}, ['{}']],
    ['custom', 'just text', ['"just text"']],
    ['custom', null, ['null']],
  ])('all arguments of %s are shown: %j', (tool, input, texts) => {
    expect(textsOf(asked(claudeCode, claudePermission(input, tool))).slice(1)).toEqual(texts)
  })

  test('`transcript_path` is nowhere on the card', () => {
    expect(JSON.stringify(asked(claudeCode, claudePermission()).card)).not.toContain('.jsonl')
  })

  test('hidden characters of any text show as escapes, under a badge', () => {
    const body = { ...claudePermission({ command: 'ls \u202etac', n: '\u200b' }), cwd: '/tmp/\u00a0x\ny' }
    expect(textsOf(asked(claudeCode, body))).toEqual([
      'Claude Code a1b2 · Bash in /tmp/\\u{A0}x\\u{A}y',
      'Hidden characters',
      'ls \\u{202E}tac',
      '{\n  "n": "\\u200b"\n}',
    ])
  })
})

describe("the agent's own description", () => {
  const descriptionOf = (command: string, description: string, remember = false) =>
    textsOf(asked(claudeCode, claudePermission({ command, description }), { remember })).slice(2)

  test('it is left out if title and command fit on a lock screen', () => {
    const left = 80 - TITLE.length - 1
    expect(descriptionOf('x'.repeat(left), 'Tests')).toEqual([])
    expect(descriptionOf('x'.repeat(left + 1), 'Tests')).toEqual(['It says: Tests'])
    expect(descriptionOf('x\ny', 'Tests')).toEqual(['It says: Tests'])
  })

  test('it stands on a card with a select, which has no buttons on a lock screen', () => {
    expect(descriptionOf('ls', 'Tests', true)).toEqual(['It says: Tests'])
  })

  test('its hidden characters count too', () => {
    const long = 'x'.repeat(80)
    expect(descriptionOf(long, 'safe\u202e')).toEqual([long, 'It says: safe\\u{202E}'])
  })

  test('it does not count as an argument, but is shown whole or not at all', () => {
    expect(descriptionOf('x'.repeat(4_000), 'y'.repeat(9_000))).toEqual([`It says: ${'y'.repeat(9_000)}`])
    const tooLong = { command: 'x'.repeat(80), description: 'y'.repeat(9_992) }
    expect(answered(claudeCode, claudePermission(tooLong))).toEqual({})
  })
})

describe('arguments that cannot be shown whole', () => {
  const write = (content: string) => ({ file_path: '/a', content })
  const exact = 'x'.repeat(3_998)

  test('4,000 characters with the path get a card, and 4,001 get none', () => {
    expect(textsOf(asked(claudeCode, claudePermission(write(exact), 'Write')))).toContain(exact)
    expect(answered(claudeCode, claudePermission(write(`${exact}x`), 'Write'))).toEqual({})
    expect(answered(codex, codexPermission(write(`${exact}x`), 'Write'))).toEqual({})
    expect(answered(geminiCli, geminiTool({ content: 'x'.repeat(5_000) }, 'write_file'))).toEqual({
      decision: 'deny',
      reason: 'The arguments are too long to show: 5019 characters, at most 4000',
    })
  })

  test('200 lines get a card, and 201 get none', () => {
    const lines = (count: number) => claudePermission({ command: Array(count).fill(':').join('\n') })
    expect(answered(claudeCode, lines(200))).toBeNull()
    expect(answered(claudeCode, lines(201))).toEqual({})
  })

  test.each([['9007199254740993'], ['1e999'], ['-12345678901234567890']])(
    'the number %s would be shown as another one, so it gets no card',
    number => {
      const input: unknown = JSON.parse(`{"rows": [{"id": ${number}}]}`)
      expect(answered(claudeCode, claudePermission(input, 'mcp__db__delete'))).toEqual({})
      expect(answered(geminiCli, geminiTool(input))).toEqual({
        decision: 'deny',
        reason: 'A number is too long to show',
      })
    },
  )
})
