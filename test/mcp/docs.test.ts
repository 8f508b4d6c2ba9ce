// docs/mcp.md: hosts connect with the settings as they stand there.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { textOf } from '../structure/imports.ts'
import { postMcp } from '../support/mcp-scene.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()
const ADDRESS = 'https://feed.example.com'
const docs = textOf('docs/mcp.md')

const entry = z.object({
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: z.object({ Authorization: z.string() }).optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
})
const only = z.object({ feed: entry })
const settings = z.union([
  z.object({ mcpServers: only }).transform(({ mcpServers }) => mcpServers.feed),
  z.object({ servers: only }).transform(({ servers }) => servers.feed),
])

const blocks = [...docs.matchAll(/^(.+), in `([^`]+)`.*\n\n```json\n([^`]+)```/gm)].map(
  ([, host = '', file, json = '']) => ({ host, file, json }),
)

test('the page has settings for five hosts in JSON', () => {
  expect(blocks.map(({ host }) => host)).toEqual([
    'Claude Code',
    'Cursor',
    'VS Code',
    'Gemini CLI',
    'Claude Desktop',
  ])
})

const here = blocks.map(({ host, json }) => ({ host, ...settings.parse(JSON.parse(json)) }))

test.each(here.filter(({ command }) => command === undefined))(
  '$host connects with its settings',
  async ({ url, httpUrl, headers }) => {
    const address = url ?? httpUrl ?? ''
    expect(address).toBe(`${ADDRESS}/mcp`)
    const [, scheme, variable] = /^(Bearer) (\$\w+|\$\{[\w:-]+\})$/.exec(headers?.Authorization ?? '') ?? []
    expect(variable).toBeDefined()
    const request = { method: 'tools/list' }
    const Authorization = `${scheme} ${ann.api_key}`
    const response = await postMcp(address.replace(ADDRESS, service.url), null, request, {
      headers: { Authorization },
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('"ask_human"')
  },
)

test('Claude Desktop starts the command with the variables that it reads', () => {
  const started = here.filter(({ command }) => command !== undefined)
  expect(started).toEqual([
    {
      host: 'Claude Desktop',
      command: 'npx',
      args: ['-y', 'channel-feed', 'mcp'],
      env: {
        CHANNEL_FEED_URL: ADDRESS,
        CHANNEL_FEED_KEY: expect.any(String),
        CHANNEL_FEED_CHANNEL: expect.any(String),
      },
    },
  ])
})

test('the settings of Codex name the same address and variable', () => {
  const [, toml = ''] = /```toml\n([^`]+)```/.exec(docs) ?? []
  expect(toml.split('\n').slice(0, 3)).toEqual([
    '[mcp_servers.feed]',
    `url = "${ADDRESS}/mcp"`,
    'bearer_token_env_var = "CHANNEL_FEED_KEY"',
  ])
})

test('the page names every tool', async () => {
  const response = await postMcp(`${service.url}/mcp`, ann.api_key, { method: 'tools/list' })
  const names = [...(await response.text()).matchAll(/"name":"([a-z]+_[a-z]+)"/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) expect(docs).toContain(`\`${name}\``)
})
