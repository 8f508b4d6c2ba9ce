// The service as shipped, with sign-up, workspace and API key. Only the daily limits are lifted.
import { makeSend } from '../browser/support/api.ts'
import { makeUser, sessionHeaders } from '../browser/support/session.ts'
import { startMeasured } from './server-process.ts'
import { startOptions, type Target } from './target.ts'

const settings = {
  DAILY_CARD_LIMIT: '0',
  DAILY_BYTE_LIMIT: '0',
  DAILY_CHANNEL_LIMIT: '0',
  WORKSPACE_LIMIT: '0',
  ACT_LIMIT: '0',
  LOG_LEVEL: 'info',
  DEMO: 'off',
}

type Account = {
  key: string
  person: Record<string, string>
  workspace_id: string
  createKey: () => Promise<string>
}

/** By data folder, because a restarted server keeps the key of its first start. */
const accounts = new Map<string, Account>()

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
    const { key, person, workspace_id, createKey } = account
    const headers = { authorization: `Bearer ${key}` }
    const send = makeSend(`${base}/api/v1`, headers)
    const createChannel = async () =>
      (await send<{ id: string }>('POST', '/channels', { name: 'bench', workspace_id, mode: 'interactive' }))
        .id
    return {
      ...server,
      headers,
      person,
      query: `?token=${key}`,
      dialect: 'y-websocket',
      async createChannels(count) {
        const ids: string[] = []
        while (ids.length < count) {
          const batch = Array.from({ length: Math.min(16, count - ids.length) }, createChannel)
          ids.push(...(await Promise.all(batch)))
        }
        return ids
      },
      createKeys: count =>
        Promise.all(
          Array.from({ length: count }, async () => ({ authorization: `Bearer ${await createKey()}` })),
        ),
    }
  },
}

async function signUp(url: string): Promise<Account> {
  const person = await sessionHeaders(url, await makeUser({ url }))
  const session = makeSend(`${url}/api`, person)
  const { id: workspace_id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Bench' })
  const createKey = async () => (await session<{ key: string }>('POST', '/api-keys', { name: 'bench' })).key
  return { key: await createKey(), person, workspace_id, createKey }
}
