// The service as a newcomer runs it: a process with the embedded database and the demo channel.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newPrivateJwk } from '../../server/key-pair.ts'
import type { TestDatabase } from './database.ts'

const built = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))

export type TestServer = Awaited<ReturnType<typeof startServer>>

/** Names the folder of a server that was started before, to skip the first start. */
export const TEMPLATE = 'TEST_SERVER_TEMPLATE'
const DATA = 'data'
const WELCOME = 'welcome.txt'

/** Starts a server for the first time, stops it, and keeps its data and output in `folder`. */
export async function makeTemplate(folder: string): Promise<void> {
  const data_dir = join(folder, DATA)
  const first = await launch(built, { DATA_DIR: data_dir, PORT: '0' }, true)
  await writeFile(join(folder, WELCOME), first.output())
  await end(first.process, 'SIGTERM')
}

/** Needs `npm run build:server` (and `build:web` for pages) first. `main`: the entry of another build. */
export async function startServer(env: Record<string, string> = {}, main = built) {
  const data_dir = await mkdtemp(join(tmpdir(), 'channel-feed-'))
  await chmod(data_dir, 0o755)
  const template = process.env[TEMPLATE]
  // Keeps the owner, because PostgreSQL runs as another user if root runs the tests.
  if (template) execFileSync('cp', ['-a', `${join(template, DATA)}/.`, data_dir])
  const settings = { DATA_DIR: data_dir, PORT: '0', ...env }
  const first = await launch(main, settings, !template && env.DEMO !== 'off')
  const welcome = template ? await readFile(join(template, WELCOME), 'utf8') : first.output()
  const [, email = '', password = ''] = /Sign in +(\S+) +(\S+)/.exec(welcome) ?? []
  const [api_key = ''] = /cf_[\w-]{43}/.exec(welcome) ?? []
  const [, channel_id = ''] = /\/c\/([0-9a-f-]{36})/.exec(welcome) ?? []
  const headers = { Authorization: `Bearer ${api_key}` }
  const channel = await fetch(`${first.url}/api/v1/channels/${channel_id}`, { headers })
  const { workspace_id }: { workspace_id: string } = await channel.json()

  const server = {
    ...first,
    api_key,
    owner: { email, password },
    workspace_id,
    channel_id,
    data_dir,
    /** Sends SIGTERM and removes the data folder. Resolves with the exit code. */
    async stop() {
      const code = await end(server.process, 'SIGTERM')
      await rm(data_dir, { recursive: true, force: true })
      return code
    },
    /** Sends SIGKILL and keeps the data folder. */
    kill: async () => void (await end(server.process, 'SIGKILL')),
    /** Starts it again on the same data folder and port. */
    async restart() {
      const next = await launch(main, { DATA_DIR: data_dir, ...env, PORT: new URL(first.url).port }, false)
      server.process = next.process
    },
  }
  return server
}

export type Instance = Awaited<ReturnType<typeof startInstance>>

/** One of several instances on a test's database. Needs `npm run build:server` first. */
export async function startInstance(
  { target }: Pick<TestDatabase, 'target'>,
  env: Record<string, string> = {},
) {
  const settings = {
    DATABASE_URL: `postgres:///${target.database}`,
    // The driver reads from these what the URL lacks.
    PGHOST: target.socket_dir,
    PGUSER: 'app',
    AUTH_SECRET: 'a secret that the instances share',
    SIGNING_KEY: JSON.stringify(newPrivateJwk()),
    PORT: '0',
    ...env,
  }
  const { url, process: child } = await launch(built, settings, false)
  return { url, kill: async () => void (await end(child, 'SIGKILL')) }
}

/** `welcomed`: wait for the lines of a first start. `output` is what was printed so far. */
async function launch(main: string, env: Record<string, string>, welcomed: boolean) {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'info',
      SIGNUP_LIMIT: '0',
      POSTGRES_PACKAGE: process.env.TEST_POSTGRES_PACKAGE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString()
      const ready = /Channel Feed is ready at (http:\/\/[^"\s]+)/.exec(text)
      if (ready?.[1] && (!welcomed || text.includes('shown once'))) resolve(ready[1])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', code => reject(new Error(`the server ended with ${code}:\n${text}`)))
  })
  return { process: child, url: url.replace('localhost', '127.0.0.1'), output: () => text }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
  return child.exitCode
}
