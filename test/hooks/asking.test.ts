// A hook becomes a card: what is stored, how the response begins, and what it ends with.
import { expect, test } from 'vitest'
import { HOOK_TIMES } from '../../server/routes/open-hook.ts'
import { normalUuid } from '../../shared/text.ts'
import {
  buildHookScene,
  cardsOf,
  decisionOfHook,
  HOST_IDS,
  hookAnswer,
  openHook,
  pressHook,
  sendHook,
  TOOL_HOOKS,
} from '../support/hooks.ts'
import { runService } from '../support/running.ts'
import { until } from '../support/viewer.ts'
import { authentication, claudePermission, claudeQuestions, npmTest } from './requests.ts'

const service = await runService()
const scene = await buildHookScene(service)
const { account } = scene

test.each(HOST_IDS)('a hook of %s is a card in a key of its own, and one press answers it', async host => {
  const hook = await openHook(scene, host)
  const { card } = hook
  const [name, session, unique, ...more] = card.key?.split('/') ?? []
  expect([name, normalUuid(session), normalUuid(unique), more]).toEqual([host, session, unique, []])
  expect(card.status).toBe('pending')
  expect(await decisionOfHook(scene, hook)).toMatchObject({
    key: null,
    state: 'waiting',
    who: [account.email],
    agents: false,
    comment: 'none',
    if_changed: 'refuse',
    approves: 'allow',
    abandon: 'cancel',
    asked_by: { kind: 'agent', name: 'claude on a laptop' },
  })
  expect((await pressHook(scene, hook, 'allow')).status).toBe(201)
  expect(JSON.stringify(await hook.answer())).toContain('allow')
})

test('the deadline of a question is the wait, which each host has another of', async () => {
  const deadlineOf = async (host: (typeof HOST_IDS)[number], query = '') => {
    const hook = await openHook(scene, host, { query })
    const { asked_at, expires_at } = await decisionOfHook(scene, hook)
    hook.leave()
    return (Date.parse(expires_at ?? '') - Date.parse(asked_at)) / 1_000
  }
  expect(await Promise.all(HOST_IDS.map(host => deadlineOf(host)))).toEqual([590, 590, 50])
  expect(await deadlineOf('claude-code', '&wait=10')).toBe(10)
  expect(await deadlineOf('gemini-cli', '&wait=3600')).toBe(3_600)
})

test('the response begins with a newline, goes on with newlines, and ends with one JSON object', async () => {
  const { newline } = HOOK_TIMES
  HOOK_TIMES.newline = 10
  const body = { ...TOOL_HOOKS.codex, session_id: 'newlines' }
  const response = await sendHook(scene, 'codex', { body })
  HOOK_TIMES.newline = newline
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(response.headers.get('X-Accel-Buffering')).toBe('no')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readOn = async () => {
    const { done, value = '' } = (await reader?.read()) ?? { done: true }
    text += value
    return !done
  }
  await until(async () => (await readOn()) && text.length > 3, 'newlines keep coming')
  expect(text).toMatch(/^\n+$/)
  const card = (await cardsOf(scene)).find(({ key }) => key?.startsWith('codex/newlines/'))
  if (!card) throw new Error('no card')
  await pressHook(scene, { card }, 'deny')
  await until(async () => !(await readOn()), 'the response ends')
  expect(text.trim()).toBe(JSON.stringify(JSON.parse(text)))
})

test('a tool that is not asked about gets `{}` at once, and no card', async () => {
  const before = (await cardsOf(scene)).length
  const body = { ...claudePermission(), permission_mode: 'bypassPermissions' }
  const answer = await hookAnswer(scene, 'claude-code', { body })
  expect([answer.status, answer.body]).toEqual([200, {}])
  expect(answer.headers.get('Content-Type')).toContain('application/json')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  const tooLong = { command: 'x'.repeat(4_001) }
  expect(
    (await hookAnswer(scene, 'codex', { body: { ...TOOL_HOOKS.codex, tool_input: tooLong } })).body,
  ).toEqual({})
  expect(await cardsOf(scene)).toHaveLength(before)
})

test('a question of the agent is answered with its own words', async () => {
  const hook = await openHook(scene, 'claude-code', { body: claudeQuestions() })
  expect((await decisionOfHook(scene, hook)).key).toMatch(/^claude-code\/.*\/toolu_01A09q90qw90lq917835lq9$/)
  expect((await pressHook(scene, hook, 'other')).body).toEqual({ error: 'comment is required' })
  await pressHook(scene, hook, 'other', { comment: 'Ask the bank' })
  expect(await hook.answer()).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: {
        questions: [authentication],
        answers: { 'Which sign-in should the shop use?': 'Ask the bank' },
      },
    },
  })
})

test('several questions need a choice each', async () => {
  const body = claudeQuestions([authentication, { ...authentication, question: 'And later?' }])
  const hook = await openHook(scene, 'claude-code', { body })
  expect((await pressHook(scene, hook, 'send', { values: { q0: 'o0' } })).status).toBe(400)
  await pressHook(scene, hook, 'send', { values: { q0: 'o0', q1: 'other', x1: 'Nothing' } })
  expect(JSON.stringify(await hook.answer())).toContain(
    '"answers":{"Which sign-in should the shop use?":"Passkeys","And later?":"Nothing"}',
  )
})

test('with `remember=on`, a chosen suggestion goes back to Claude Code alone', async () => {
  const hook = await openHook(scene, 'claude-code', { query: '&remember=on' })
  await pressHook(scene, hook, 'allow', { values: { remember: 'suggestion-0' } })
  expect(await hook.answer()).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'allow', updatedPermissions: [npmTest] },
    },
  })
  const body = { permission_suggestions: [npmTest] }
  const { card } = await openHook(scene, 'codex', { query: '&remember=on', body })
  expect(card.blocks.map(({ type }) => type)).not.toContain('select')
})

test('two parallel calls of the same command need two presses', async () => {
  const [one, other] = await Promise.all([openHook(scene, 'codex'), openHook(scene, 'codex')])
  await pressHook(scene, one, 'allow')
  await one.answer()
  expect(await decisionOfHook(scene, other)).toMatchObject({ state: 'waiting' })
  await pressHook(scene, other, 'deny')
  expect(JSON.stringify(await other.answer())).toContain('Denied by Ann')
})

test('a call that is asked about already is not asked about again', async () => {
  const call = { session_id: 'same', body: { tool_use_id: 'call-1' } }
  const hook = await openHook(scene, 'claude-code', call)
  const body = { ...claudePermission(), session_id: 'same', tool_use_id: 'call-1' }
  expect(await hookAnswer(scene, 'claude-code', { body })).toMatchObject({
    status: 409,
    body: { code: 'key_in_use' },
  })
  await pressHook(scene, hook, 'allow')
  await hook.answer()
  const next = await openHook(scene, 'claude-code', call)
  expect(await decisionOfHook(scene, next)).toMatchObject({ state: 'waiting' })
})
