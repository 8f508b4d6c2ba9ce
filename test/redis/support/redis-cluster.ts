// A Redis cluster of three masters on this machine.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/viewer.ts'
import { startRedis, type TestRedis } from './redis-server.ts'

const SLOTS = 16_384
const NODE_TIMEOUT_MS = 2_000

/** Ends after the file's last test. */
export async function startCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'channel-feed-redis-'))
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const nodes: TestRedis[] = []
  for (let i = 0; i < 3; i++) {
    const files = ['--dir', folder, '--cluster-config-file', `nodes-${i}.conf`]
    const bus = [
      '--cluster-port',
      String(await freePort()),
      '--cluster-node-timeout',
      String(NODE_TIMEOUT_MS),
    ]
    nodes.push(await startRedis(['--cluster-enabled', 'yes', ...files, ...bus]))
  }
  const share = Math.ceil(SLOTS / nodes.length)
  for (const [i, { client }] of nodes.entries()) {
    await client.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min(SLOTS, (i + 1) * share) - 1)
    for (const other of nodes) {
      const [, port] = other.url.split('//127.0.0.1:')
      const info = String(await other.client.call('CONFIG', 'GET', 'cluster-port'))
      const bus = info.split(',')[1] ?? ''
      if (other !== nodes[i]) await client.call('CLUSTER', 'MEET', '127.0.0.1', port ?? '', bus)
    }
  }
  await until(async () => {
    const states = await Promise.all(nodes.map(({ client }) => client.cluster('INFO')))
    return states.every(state => /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(state)))
  }, 'the cluster is whole')
  return { url: nodes[0]?.url ?? '', nodes }
}
