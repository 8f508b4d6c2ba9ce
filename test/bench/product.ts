// The service as shipped, with sign-up, workspace and API key. Only the daily limits are lifted.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { startMeasured } from './server-process.ts'
import { startOptions, type Target } from './target.ts'

const settings = {
  DAILY_CARD_LIMIT: '0',
  DAILY_CHANNEL_LIMIT: '0',
  WORKSPACE_LIMIT: '0',
  LOG_LEVEL: 'info',
  DEMO: 'off',
}
const created = z.object({ id: z.string() })
const createdKey = z.object({ key: z.string() })

/** By data folder, because a restarted server keeps the key of its first start. */
const accounts = new Map<string, { key: string; workspace_id: string }>()

export const product: Target = {
  name: 'channel-feed',
  title: 'Channel Feed',
  keeps: true,
  async start(options) {
    const { args, env } = startOptions(options)
    const server = await startMeasured(['--max-semi-space-size=32', ...args, 'dist/server/main.js'], {
      ...env,
      ...settings,
    })
    const base = `http://127.0.0.1:${server.port}`
    const account = accounts.get(options.data_dir) ?? (await signUp(base))
    accounts.set(options.data_dir, account)
    const headers = { authorization: `Bearer ${account.key}` }

    const createChannel = async () => {
      const body = { name: 'bench', workspace_id: account.workspace_id }
      return created.parse(await post(`${base}/api/v1/channels`, body, headers)).id
    }
    return {
      ...server,
      headers,
      query: `?token=${account.key}`,
      dialect: 'y-websocket',
      async createChannels(count) {
        const ids: string[] = []
        while (ids.length < count) {
          const batch = Array.from({ length: Math.min(16, count - ids.length) }, createChannel)
          ids.push(...(await Promise.all(batch)))
        }
        return ids
      },
    }
  },
}

async function signUp(base: string): Promise<{ key: string; workspace_id: string }> {
  const email = `bench-${randomUUID()}@example.com`
  const user = { email, password: randomUUID(), name: 'Bench' }
  const response = await send(`${base}/api/auth/sign-up/email`, user, {})
  const cookie = response.headers
    .getSetCookie()
    .map(line => line.split(';', 1)[0])
    .join('; ')
  const workspace = created.parse(await post(`${base}/api/workspaces`, { name: 'Bench' }, { cookie }))
  const { key } = createdKey.parse(await post(`${base}/api/api-keys`, { name: 'bench' }, { cookie }))
  return { key, workspace_id: workspace.id }
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<unknown> {
  return (await send(url, body, headers)).json()
}

async function send(url: string, body: object, headers: Record<string, string>): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`)
  return response
}
