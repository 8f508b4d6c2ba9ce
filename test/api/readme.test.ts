// The README's commands do what it says, and its first lines are those that a first start prints.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { welcome } from '../../server/demo.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { createChannel } from '../support/channels.ts'
import { withCurl } from '../support/programs.ts'
import { runWithOwner } from '../support/running.ts'

const run = promisify(execFile)

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const [, section = ''] = /^## Push your first card\n(.+?)^## /ms.exec(readme) ?? []
const fences = [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
const blocks = (language: string) =>
  fences.flatMap(([, name, code = '']) => (name === language ? [code] : []))

const VALUES = 'URL=http://localhost:3000 CHANNEL=0f5c… API_KEY=cf_…'
const [printed = ''] = blocks('')
const [, byKey = '', byQuestion = ''] = blocks('sh')

const { service, ann } = await runWithOwner()
const channel = await createChannel(ann, { name: 'Deployments', mode: 'interactive' })

/** Runs shell commands with the variables that the README sets. Returns what each line of the output has. */
async function shell<T>(commands: string, variables: Record<string, string> = {}): Promise<T[]> {
  const env = { ...withCurl(), URL: service.url, CHANNEL: channel, API_KEY: ann.api_key, ...variables }
  const { stdout } = await run('bash', ['-ec', commands], { env })
  return stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .map((line): T => JSON.parse(line))
}

test('the README shows the lines that a first start prints', () => {
  const demo = { email: 'owner@example.com', password: '…', api_key: 'cf_…', channel_id: '0f5c…' }
  expect(printed).not.toBe('')
  expect(welcome('http://localhost:3000', demo)).toContain(printed)
})

test('the command that a first start prints pushes a card', async () => {
  const ids = { email: '', password: '', api_key: ann.api_key, channel_id: channel }
  const [, command = ''] = /(curl .+?)\n\n/s.exec(welcome(service.url, ids)) ?? []
  const [created] = await shell<{ id: string }>(command)
  const { body } = await ann.key('GET', `/channels/${channel}/cards/${created?.id}`)
  expect(body).toMatchObject({ status: 'success', blocks: [{ type: 'text', content: 'Hello from curl' }] })
})

test('the commands with a card key create a card and change one of its blocks', async () => {
  expect(byKey).toContain(VALUES)
  await shell(byKey.replace(VALUES, ''))
  const { body } = await ann.key('GET', `/channels/${channel}/cards/by-key/deploy-42`)
  expect(body).toMatchObject({
    status: 'error',
    blocks: [{ id: 'log', rows: [{ value: 'started' }, { value: 'retrying' }] }],
  })
})

test('the response to the question names the decision, and the second request has the answer', async () => {
  const [question = '', wait = ''] = byQuestion.split('\n\n')
  const [created] = await shell<{ id: string; decisions: { id: string }[] }>(question)
  const trigger = { type: 'button_click', button_id: 'yes' }
  await ann.session('POST', `/channels/${channel}/interactions`, { card_id: created?.id, trigger })
  const [decision] = await shell<FullDecision>(wait, { DECISION: created?.decisions[0]?.id ?? '' })
  expect(decision).toMatchObject({ state: 'decided', card_id: created?.id, outcome: { label: 'Yes' } })
})
