// docs/coding-agents.md: the settings of each host lead to a card and to an answer.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { buildHookScene, cardsOf, pressHook, TOOL_HOOKS } from '../support/hooks.ts'
import { blockIn } from '../support/page-blocks.ts'
import { runService } from '../support/running.ts'
import { until } from '../support/viewer.ts'

const scene = await buildHookScene(await runService())

const handler = z.union([
  z.object({
    type: z.literal('http'),
    url: z.string(),
    timeout: z.number(),
    headers: z.object({ Authorization: z.string() }),
    allowedEnvVars: z.tuple([z.literal('CHANNEL_FEED_KEY')]),
  }),
  z.object({ type: z.literal('command'), command: z.string(), timeout: z.number().optional() }),
])
const settings = z.object({
  hooks: z.record(z.string(), z.tuple([z.object({ hooks: z.tuple([handler]) })])),
})

function handlerOf(heading: string, event: string) {
  const { hooks } = settings.parse(JSON.parse(blockIn('coding-agents.md', heading, 'json')))
  expect(Object.keys(hooks)).toEqual([event])
  return hooks[event]?.[0].hooks[0]
}

test('the settings of Claude Code send its request to the service, and a press answers it', async () => {
  const { url, channel_id, machine } = scene
  const entry = handlerOf('Claude Code', 'PermissionRequest')
  if (entry?.type !== 'http') throw new Error('not an HTTP hook')
  // Claude Code counts seconds. The question ends before that.
  expect(entry.timeout).toBeGreaterThan(590)
  const answer = fetch(entry.url.replace('https://feed.example.com', url).replace('<id>', channel_id), {
    method: 'POST',
    headers: {
      Authorization: entry.headers.Authorization.replace('$CHANNEL_FEED_KEY', machine.key),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(TOOL_HOOKS['claude-code']),
  })
  await until(async () => (await cardsOf(scene)).length > 0, 'a card')
  const [card] = await cardsOf(scene)
  if (!card) throw new Error('no card')
  expect((await pressHook(scene, { card }, 'allow')).status).toBe(201)
  expect(JSON.parse(await (await answer).text())).toEqual({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
  })
})

test.each([
  ['Codex', 'PermissionRequest', 'codex'],
  ['Gemini CLI', 'BeforeTool', 'gemini'],
])('the settings of %s run the command', (heading, event, host) => {
  expect(handlerOf(heading, event)).toMatchObject({ type: 'command', command: `channel-feed hook ${host}` })
})
