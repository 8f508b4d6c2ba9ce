// A thousand calls of one key wait at once, which is its limit.
import { expect, test } from 'vitest'
import { createTestKey } from '../support/account.ts'
import type { ToolResult } from '../support/mcp-clients.ts'
import { postMcp, pressAnswer, resultIn } from '../support/mcp-scene.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { until } from '../support/viewer.ts'

const QUESTIONS = 10
const CALLS = 1_000

const service = await runService()
const scene = await buildScene(service)
const endpoint = `${service.url}/mcp`
const { api_key, session } = scene.account

const call = (key: string, name: string, args: object) =>
  postMcp(endpoint, key, {
    method: 'tools/call',
    // Without one, the calls would end after 45 s.
    params: { name, arguments: args, _meta: { progressToken: 1 } },
  })

test('a thousand waiting calls get their answers, and other keys are served meanwhile', async () => {
  const questions = Array.from({ length: QUESTIONS }, (_, i) => ({
    question: `Deploy ${i}?`,
    key: `deploy-${i}`,
  }))
  const handles = await Promise.all(
    questions.map(async question => {
      const { structuredContent } = await resultIn(await call(api_key, 'ask_human', { ...question, wait: 0 }))
      return String(structuredContent?.handle)
    }),
  )
  await until(() => service.calls.open.length === 0, 'the questions are asked')
  const answers: Promise<ToolResult>[] = []
  const get = async (handle: string) => resultIn(await call(api_key, 'get_decision', { handle, wait: 300 }))
  while (answers.length < CALLS) {
    answers.push(...handles.map(get))
    await until(() => service.waits.open.length === answers.length, 'these wait too')
  }
  expect((await call(api_key, 'list_cards', {})).status).toBe(429)
  const { key: other } = await createTestKey(session)
  const { structuredContent } = await resultIn(await call(other, 'list_cards', {}))
  expect(structuredContent?.cards).toHaveLength(QUESTIONS + 1)
  for (const handle of handles) await pressAnswer(scene, handle, 'Approve')
  const approved = (await Promise.all(answers)).filter(answer => answer.structuredContent?.approved === true)
  expect(approved).toHaveLength(CALLS)
  await until(() => service.calls.open.length === 0, 'all calls are over')
}, 180_000)
