// The official clients of the Model Context Protocol: version 2 in both eras, and version 1.
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FirstHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

export const toolResult = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})
export type ToolResult = z.output<typeof toolResult>

export type CallOptions = {
  signal?: AbortSignal
  onprogress?: (progress: { progress: number; total?: number | undefined }) => void
  timeout?: number
}

const INFO = { name: 'test', version: '1.0.0' }
const NEW = { versionNegotiation: { mode: { pin: '2026-07-28' } } } satisfies ClientOptions

/** How a host reaches the tools. */
export type Way = { url: string; api_key: string; over: 'http' | 'stdio' }

const CLIENTS = {
  'version 2 with 2026-07-28': (way: Way) => connectSecond(way, NEW),
  'version 2 with 2025-11-25': (way: Way) => connectSecond(way, {}),
  'version 1': connectFirst,
}
export type ClientName = keyof typeof CLIENTS
export const CLIENT_NAMES = Object.keys(CLIENTS).filter((name): name is ClientName => name in CLIENTS)

export type McpClient = Awaited<ReturnType<typeof connectMcp>>

/** Closed after the test. */
export async function connectMcp(way: Way, name: ClientName = 'version 2 with 2026-07-28') {
  const client = await CLIENTS[name](way)
  onTestFinished(() => client.close())
  return {
    client,
    async call(
      name: string,
      args: Record<string, unknown> = {},
      options: CallOptions = {},
    ): Promise<ToolResult> {
      const params = { name, arguments: args }
      const result =
        client instanceof Client
          ? await client.callTool(params, options)
          : await client.callTool(params, undefined, options)
      return toolResult.parse(result)
    },
  }
}

async function connectSecond(way: Way, options: ClientOptions) {
  const client = new Client(INFO, options)
  await client.connect(
    way.over === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${way.url}/mcp`), withKey(way))
      : new StdioClientTransport(processOf(way)),
  )
  return client
}

async function connectFirst(way: Way) {
  const client = new FirstClient(INFO)
  await client.connect(
    way.over === 'http'
      ? new FirstHttpTransport(new URL(`${way.url}/mcp`), withKey(way))
      : new FirstStdioTransport(processOf(way)),
  )
  return client
}

const withKey = ({ api_key }: Way) => ({ requestInit: { headers: { Authorization: `Bearer ${api_key}` } } })

const processOf = ({ url, api_key }: Way) => ({
  command: process.execPath,
  args: ['--import', 'tsx', 'client/cli/main.ts', 'mcp'],
  env: { CHANNEL_FEED_URL: url, CHANNEL_FEED_KEY: api_key },
})
