// `hook` in front of the service: a person's press becomes what the coding agent reads.
import { describe, expect, test } from 'vitest'
import { answerNext, nextQuestion } from '../../support/answering.ts'
import { startCli } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'
import { TOOL_HOOKS } from '../../support/hooks.ts'

const { ann, channel, env } = await buildCliScene()
await ann.session('PATCH', `/workspaces/${ann.workspace_id}`, { visibility: 'private' })

const HOSTS = [
  ['claude', 'claude-code'],
  ['codex', 'codex'],
  ['gemini', 'gemini-cli'],
] as const
const startHook = (host: string, id: keyof typeof TOOL_HOOKS, ...flags: string[]) =>
  startCli(['hook', host, ...flags], { env: env(), input: JSON.stringify(TOOL_HOOKS[id]) })

describe.each(HOSTS)('hook %s', (host, id) => {
  test('allow and deny become the answers of the host', async () => {
    const allowed = startHook(host, id)
    await answerNext(ann, channel, { button_id: 'allow' })
    const { code, stdout, stderr } = await allowed.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^\{.*"allow".*\}\n$/)

    const denied = startHook(host, id)
    await answerNext(ann, channel, { button_id: 'deny', comment: 'not on a Friday' })
    const end = await denied.ended
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(end.stdout).toMatch(/^\{.*"deny".*"Denied by Ann: not on a Friday".*\}\n$/)
  })

  test('a signal ends the question as abandoned', async () => {
    const hook = startHook(host, id)
    const asked = await nextQuestion(ann, channel)
    hook.child.kill('SIGTERM')
    expect((await hook.ended).code).toBe(0)
    const state = async () => {
      const path = `/channels/${channel}/decisions/${asked.id}`
      return (await ann.key('GET', path)).body
    }
    await expect.poll(state).toMatchObject({ state: 'cancelled', reason: 'abandoned' })
  })
})

test('an event that needs no permission prints nothing', async () => {
  const input = JSON.stringify({ ...TOOL_HOOKS['claude-code'], hook_event_name: 'Stop' })
  const hook = startCli(['hook', 'claude'], { env: env(), input })
  expect(await hook.ended).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('what the service refuses is one line on stderr', async () => {
  const input = JSON.stringify(TOOL_HOOKS['claude-code'])
  const hook = startCli(['hook', 'claude', '--wait', '5'], { env: env(), input })
  expect(await hook.ended).toEqual({
    code: 0,
    stdout: '',
    stderr: 'channel-feed: wait must be a whole number from 10 to 3600\n',
  })
})
