// Requests as the hosts send them, in the shapes of their published references.
import type { HookOptions } from '../../server/hooks/hook.ts'

export const options: HookOptions = { wait_s: 590, who: ['ann@example.com'], remember: false }

const claudeFields = {
  session_id: 'a1b2c3d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  transcript_path: '/home/ann/.claude/projects/-home-ann-shop/a1b2c3d4.jsonl',
  cwd: '/home/ann/shop',
  permission_mode: 'default',
}

export const npmTest = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
  behavior: 'allow',
  destination: 'localSettings',
}

const bash = { command: 'npm test', description: 'Run the tests', timeout: 120_000 }

/** Claude Code, before it shows a permission dialog. */
export const claudePermission = (tool_input: unknown = bash, tool_name = 'Bash') => ({
  ...claudeFields,
  hook_event_name: 'PermissionRequest',
  tool_name,
  tool_input,
  permission_suggestions: [npmTest],
})

export const authentication = {
  question: 'Which sign-in should the shop use?',
  header: 'Sign-in',
  options: [
    { label: 'Passkeys', description: 'No passwords at all' },
    { label: 'E-mail links', description: 'Works everywhere' },
    { label: 'Passwords', description: '' },
  ],
  multiSelect: false,
}
export const extras = {
  question: 'Which extras?',
  header: 'Extras',
  options: [
    { label: 'Metrics', description: 'Prometheus' },
    { label: 'Tracing', description: 'OpenTelemetry' },
  ],
  multiSelect: true,
}

/** Claude Code, before its agent asks the person something. */
export const claudeQuestions = (questions: unknown[] = [authentication]) => ({
  ...claudeFields,
  hook_event_name: 'PreToolUse',
  tool_name: 'AskUserQuestion',
  tool_input: { questions },
  tool_use_id: 'toolu_01A09q90qw90lq917835lq9',
})

/** Codex, before it asks for an approval. */
export const codexPermission = (
  tool_input: unknown = { command: 'cargo publish', description: 'needs the network' },
  tool_name = 'Bash',
) => ({
  session_id: '019b1c2d-7a8b-7c9d-8e0f-112233445566',
  turn_id: '019b1c2d-7a8b-7c9d-8e0f-aabbccddeeff',
  transcript_path: null,
  cwd: '/home/ann/crate',
  hook_event_name: 'PermissionRequest',
  model: 'gpt-5-codex',
  permission_mode: 'default',
  tool_name,
  tool_input,
})

/** Gemini CLI, before every tool call. */
export const geminiTool = (
  tool_input: unknown = { command: 'rm -r dist', description: 'Remove the build' },
  tool_name = 'run_shell_command',
) => ({
  session_id: '7f3e2d1c-0b9a-4857-8675-645342312010',
  transcript_path: '/home/ann/.gemini/tmp/7f3e/chats/session.json',
  cwd: '/home/ann/site',
  hook_event_name: 'BeforeTool',
  timestamp: '2026-11-28T09:30:00.000Z',
  tool_name,
  tool_input,
})
