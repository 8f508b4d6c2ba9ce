// The interface of measured servers. All accept cards at the service's own paths.
import { randomUUID } from 'node:crypto'
import type { Dialect } from './load/dialects.ts'
import { type ServerProcess, startMeasured } from './server-process.ts'

export type Running = ServerProcess & {
  /** Of every POST and PATCH. */
  headers: Record<string, string>
  /** Of what a person sends. */
  person: Record<string, string>
  /** Appended to the path of a socket. */
  query: string
  dialect: Dialect
  createChannels(count: number): Promise<string[]>
  /** The headers of more API keys. */
  createKeys(count: number): Promise<Record<string, string>[]>
}

export type StartOptions = {
  data_dir: string
  /** Unset: the embedded database under data_dir. */
  database_url?: string
  /** Folder for a CPU profile of the whole run. */
  profile?: string
}

export type Target = {
  name: string
  title: string
  /** Keeps its documents over a restart. */
  keeps: boolean
  /** Starts on the data in `data_dir`, so that a second start is a restart. */
  start(options: StartOptions): Promise<Running>
}

export const cardsPath = (channelId: string) => `/api/v1/channels/${channelId}/cards`
export const syncPath = (channelId: string, { query }: Running) => `/sync/${channelId}${query}`

export function startOptions({ data_dir, database_url, profile }: StartOptions) {
  return {
    args: profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
    env: { DATA_DIR: data_dir, ...(database_url ? { DATABASE_URL: database_url } : {}) },
  }
}

/** A peer creates a channel on first use and checks no access. */
export function peer(
  name: string,
  title: string,
  file: string,
  dialect: Dialect,
  settings: Record<string, string> = {},
): Target {
  return {
    name,
    title,
    keeps: dialect === 'hocuspocus',
    async start(options) {
      const { args, env } = startOptions(options)
      const main = `test/bench/peers/${file}`
      const server = await startMeasured([...args, '--import', 'tsx', main], { ...env, ...settings })
      return {
        ...server,
        headers: {},
        person: {},
        query: '',
        dialect,
        createChannels: async count => Array.from({ length: count }, () => randomUUID()),
        createKeys: async count => Array.from({ length: count }, () => ({})),
      }
    },
  }
}
