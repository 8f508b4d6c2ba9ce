// `mcp`: the tools on stdin and stdout, with the stored login. test/mcp/ has the tools themselves.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { cliCommand, runCli, startCli } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'

const { channel, env, readCard } = await buildCliScene()

test('a host that starts the command finds the tools, in the default channel', async () => {
  const [command = '', ...args] = [...cliCommand, 'mcp']
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args, env: env() }))
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('ask_human')
  const blocks = [{ type: 'text', content: 'Hello' }]
  const { structuredContent } = await client.callTool({ name: 'push_card', arguments: { blocks } })
  const { card_id } = Object(structuredContent)
  expect(await readCard(String(card_id))).toMatchObject({ channel_id: channel, blocks })
})

test('the command ends when its host closes stdin, and without a key it says what to do', async () => {
  expect(await startCli(['mcp'], { env: env() }).ended).toEqual({ code: 0, stdout: '', stderr: '' })
  const none = await runCli(['mcp'], { env: env({ CHANNEL_FEED_KEY: '' }) })
  expect(none).toMatchObject({ code: 4, stdout: '' })
  expect(none.stderr).toContain('channel-feed login')
})
