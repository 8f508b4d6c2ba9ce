// A coding agent that asks, and the person who answers in a browser.
import { expect, test } from 'vitest'
import { claudePermission, claudeQuestions } from '../hooks/requests.ts'
import { text } from './support/api.ts'
import { choose, expectDescription, questionOn } from './support/decisions.ts'
import { createChannel, opened, openNew, server, setStage } from './support/stage.ts'

setStage()

/** Sends a hook, and resolves with its card stored. `answer`: what Claude Code reads at the end. */
async function sendHook(channel: string, body: object) {
  const response = await fetch(`${server.url}/hooks/claude-code?channel=${channel}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  const answer: Promise<unknown> = response.json()
  return { answer }
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `echo step ${i}`)
const LONG = [...lines(40), 'rm -rf ~/'].join('\n')

test('a person sees every line of a command before they allow it', async () => {
  const { id } = await createChannel()
  const { page } = await opened(id)
  const { answer } = await sendHook(id, claudePermission({ command: LONG, description: 'Deploy' }))
  const command = page.locator('.text', { hasText: 'rm -rf ~/' })
  await command.waitFor()
  const hidden = () => command.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  await expect.poll(hidden).toBeLessThanOrEqual(1)
  await choose(page, 'Allow')
  await expectDescription(questionOn(page, /It says/), /^You chose Allow/)
  expect(await answer).toEqual({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
  })
  expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0)
})

test('a long text that asks nothing begins folded', async () => {
  const { page } = await openNew({}, text(LONG))
  await page.getByRole('button', { name: 'Show all' }).waitFor()
})

test('a person denies with a reason, which the agent reads', async () => {
  const { id } = await createChannel()
  const { page } = await opened(id)
  const { answer } = await sendHook(id, claudePermission({ command: 'npm publish' }))
  await page.getByRole('textbox', { name: 'Comment' }).fill('Only from CI')
  await choose(page, 'Deny')
  expect(await answer).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'deny', message: 'Denied by Owner: Only from CI' },
    },
  })
})

test('a person answers a question of the agent in their own words', async () => {
  const { id } = await createChannel()
  const { page } = await opened(id)
  const { answer } = await sendHook(id, claudeQuestions())
  await page.getByText('Which sign-in should the shop use?').waitFor()
  await page.getByRole('textbox', { name: 'Comment' }).fill('A bank card')
  await choose(page, 'Something else')
  expect(await answer).toMatchObject({
    hookSpecificOutput: {
      updatedInput: { answers: { 'Which sign-in should the shop use?': 'A bank card' } },
    },
  })
})
