// How the names of receivers become addresses. Names whose servers don't respond must not delay anybody else.
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deliver } from '../../server/webhooks/deliver.ts'
import { HostNames } from '../../server/webhooks/host-names.ts'
import { type NameAnswer, runNameServer } from '../support/name-server.ts'
import { runReceiver } from '../support/running.ts'
import { times } from '../support/times.ts'

const ZONE: Record<string, NameAnswer> = {
  'failing.example': 'failing',
  'blocked.example': '169.254.169.254',
  'service.cluster.example': '127.0.0.1',
}
const zone = (name: string): NameAnswer => {
  if (name.startsWith('silent')) return 'silent'
  return name.startsWith('good') ? '127.0.0.1' : (ZONE[name] ?? 'unknown')
}

const receiver = await runReceiver()
const { port } = new URL(receiver.url)
const server = await runNameServer(zone)
const hosts_file = join(tmpdir(), `hosts-${port}`)
const resolver_file = join(tmpdir(), `resolver-${port}`)
await writeFile(
  hosts_file,
  '# silent.example\n127.0.0.1\tlocalhost silent-but-LISTED.example # silent-2.example\nnonsense x\n',
)
await writeFile(resolver_file, 'nameserver 192.0.2.1\nsearch cluster.example\noptions ndots:2\n')

/** The system's own lookup knows one name, and never comes back for names that begin with `stuck`. */
const names = new HostNames({
  servers: [server.address],
  hosts_file,
  resolver_file,
  system: (name, _, callback) => {
    if (name.startsWith('stuck')) return
    if (name === 'printer.local') return callback(null, [{ address: '127.0.0.1', family: 4 }])
    callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
  },
})

async function send(name: string, owner = 'ann', options: { head_timeout_ms?: number } = {}) {
  const ended = new AbortController()
  const result = await deliver(
    { url: `http://${name}:${port}/`, body: '{}', interaction_id: name, secrets: [] },
    { private_networks: 'allow', head_timeout_ms: 5_000, ...options, resolve: names.of(owner, ended.signal) },
  )
  ended.abort()
  return result
}

const failed = (error: string) => ({ status: 'failed', response_code: null, error })
const success = { status: 'success', error: null }

test.each([
  ['in the hosts file', 'Silent-but-Listed.example'],
  ['`localhost`', 'localhost'],
  ['below `localhost`', 'app.localhost'],
  ['in DNS', 'good.example'],
  ['in DNS with the search list', 'service'],
  ['that only the system knows', 'printer.local'],
])('a name %s is found', async (_, name) => {
  expect(await send(name)).toMatchObject(success)
})

test.each([
  ['that doesn’t exist', 'nowhere.example', 'unknown host'],
  ['that doesn’t exist, while the system’s lookup hangs', 'stuck.example', 'unknown host'],
  ['that is reserved', 'nowhere.invalid', 'unknown host'],
  ['whose servers fail', 'failing.example', 'lookup'],
  ['whose servers don’t respond', 'silent.example', 'lookup'],
  ['of a forbidden address', 'blocked.example', 'blocked address'],
])('a name %s fails', async (_, name, error) => {
  expect(await send(name)).toMatchObject(failed(error))
})

test('names whose servers don’t respond delay no other delivery', async () => {
  const dead = times(100, i => send(`silent-${i}.example`, `owner-${i % 2}`))
  const began = performance.now()
  for (const result of await times(12, i => send(`good-${i}.example`, `healthy-${i % 3}`)))
    expect(result).toMatchObject(success)
  expect(performance.now() - began).toBeLessThan(2_000)
  for (const result of await dead) expect(result).toMatchObject(failed('lookup'))
})

test('the time for the response begins after the lookup', async () => {
  const slow = new HostNames({
    servers: [server.address],
    hosts_file,
    resolver_file,
    system: (_, __, callback) =>
      void setTimeout(() => callback(null, [{ address: '127.0.0.1', family: 4 }]), 300),
  })
  const resolve = slow.of('ann', new AbortController().signal)
  const result = await deliver(
    { url: `http://slow.example:${port}/`, body: '{}', interaction_id: 'slow', secrets: [] },
    { private_networks: 'allow', head_timeout_ms: 250, resolve },
  )
  expect(result).toMatchObject(success)
})
