// The first examples of docs/agents.md do what the page says.
import { describe, expect, test } from 'vitest'
import { answerNext, type Given } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { blockIn, blocksOf, hasRequests, readersFolder, runCode } from '../support/page-blocks.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()
const folder = readersFolder()

async function runAnswered(language: string, code: string, given: Given) {
  const channel = await createChannel(ann, { mode: 'interactive' })
  const env = {
    CHANNEL_FEED_URL: service.url,
    CHANNEL_FEED_KEY: ann.api_key,
    CHANNEL_FEED_CHANNEL: channel,
  }
  const { done } = runCode(language, code, { folder, env })
  const asked = await answerNext(ann, channel, given)
  return { asked, ...(await done) }
}

test('a test runs every block of the page', () => {
  expect(blocksOf('agents.md').map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    'Agents: ask a person first: sh',
    'Five lines: ts',
    'Five lines: python',
    'Five lines: sh',
    'Review: ts',
    'OpenAI Agents SDK: ts',
    'AI SDK: ts',
    'LangChain and LangGraph: python',
    'Claude Agent SDK: ts',
  ])
})

test('the variables are those that the client reads', async () => {
  const code = `${blockIn('agents.md', 'Agents: ask a person first', 'sh')}\nenv`
  const { output } = await runCode('sh', code, { folder, env: {} }).done
  const set = output.match(/^CHANNEL_FEED_\w+/gm)
  expect(set?.sort()).toEqual(['CHANNEL_FEED_CHANNEL', 'CHANNEL_FEED_KEY', 'CHANNEL_FEED_URL'])
})

describe('the five lines of TypeScript', () => {
  const code = `${blockIn('agents.md', 'Five lines', 'ts')}
    function deploy(name: string | null) { console.log('deployed for', name) }`

  test.each([
    ['Deploy', 'deployed for Ann\n'],
    ['Not now', ''],
  ])('after %s they print %j', async (button_id, output) => {
    const run = await runAnswered('ts', code, { button_id })
    expect(run).toMatchObject({ code: 0, output, errors: '' })
    expect(run.asked).toMatchObject({ approves: 'Deploy', expires_at: expect.any(String) })
  })
})

describe.runIf(hasRequests())('the five lines of Python', () => {
  const code = `def deploy(): print('deployed')\n${blockIn('agents.md', 'Five lines', 'python')}`

  test.each([
    ['go', 'deployed\n'],
    ['no', ''],
  ])('after %s they print %j', async (button_id, output) => {
    expect(await runAnswered('python', code, { button_id })).toMatchObject({ code: 0, output, errors: '' })
  })
})

describe('the line for the shell', () => {
  const code = `printf '#!/bin/sh\\necho deployed' >deploy && chmod +x deploy
    ${blockIn('agents.md', 'Five lines', 'sh')}`

  test.each([
    ['Deploy', 0, 'Deploy\ndeployed\n'],
    ['Not now', 1, 'Not now\n'],
  ])('after %s it ends with %d and prints %j', async (button_id, exit, output) => {
    expect(await runAnswered('sh', code, { button_id })).toMatchObject({ code: exit, output })
  })
})

describe('the example of a review', () => {
  const code = `${blockIn('agents.md', 'Review', 'ts')}
    function sendEmail(args: object) { console.log(JSON.stringify(args)) }`
  const args = { to: 'bob@example.com', subject: 'Your invoice', copies: 1 }

  test.each<[Given, string]>([
    [{ button_id: 'approve' }, `${JSON.stringify(args)}\n`],
    [{ button_id: 'approve', values: { 'arg:copies': '2' } }, `${JSON.stringify({ ...args, copies: 2 })}\n`],
    [{ button_id: 'reject', comment: 'wrong Bob' }, 'Not sent: wrong Bob\n'],
  ])('after %j it prints %j', async (given, output) => {
    expect(await runAnswered('ts', code, given)).toMatchObject({ code: 0, output, errors: '' })
  })
})
