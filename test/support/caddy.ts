// Caddy with the deploy kit's Caddyfile, in front of instances on this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './ports.ts'
import { until } from './viewer.ts'

const caddyfile = fileURLToPath(new URL('../../deploy/Caddyfile', import.meta.url))
const version = spawnSync('caddy', ['version'], { encoding: 'utf8' }).stdout ?? ''

export const hasCaddy = version !== ''

/** The Caddyfile as JSON. Throws with Caddy's message if it is invalid. `env`: the variables in it. */
export async function adaptCaddyfile(env: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'channel-feed-caddy-'))
  const path = join(folder, 'Caddyfile')
  try {
    await writeFile(path, forThisVersion(await readFile(caddyfile, 'utf8')))
    const args = ['adapt', '--adapter', 'caddyfile', '--config', path, '--validate']
    const own = { PATH: process.env.PATH, HOME: folder, ...env }
    const { status, stdout, stderr } = spawnSync('caddy', args, { encoding: 'utf8', env: own })
    if (status !== 0) throw new Error(`caddy adapt ended with ${status}:\n${stderr}`)
    return JSON.parse(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Debian 12 and Ubuntu 24.04 have Caddy 2.6, which lacks one directive. It only matters when Caddy reloads. */
function forThisVersion(text: string): string {
  const [, minor = '0'] = /(?:^|v)2\.(\d+)/.exec(version) ?? []
  return Number(minor) < 7 ? text.replace(/^\s*stream_close_delay .*$/m, '') : text
}

export async function startCaddy(instances: string[]) {
  const url = `http://127.0.0.1:${await freePort()}`
  const folder = await mkdtemp(join(tmpdir(), 'channel-feed-caddy-'))
  const upstreams = instances.map(instance => new URL(instance).host).join(' ')
  const config = { ...(await adaptCaddyfile({ SITE: url, UPSTREAMS: upstreams })), admin: { disabled: true } }
  const path = join(folder, 'caddy.json')
  await writeFile(path, JSON.stringify(config))
  const env = { PATH: process.env.PATH, HOME: folder }
  const child = spawn('caddy', ['run', '--config', path], { env, stdio: 'ignore' })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`caddy ended with ${child.exitCode}`)
    return (await fetch(`${url}/healthz`).catch(() => null))?.status === 200
  }, 'Caddy serves')
  return {
    url,
    async stop() {
      await kill(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
