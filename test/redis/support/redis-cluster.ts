// A Redis cluster of three masters on this machine.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../support/viewer.ts'
import { freePort, startRedis, type TestRedis } from './redis-server.ts'

const SLOTS = 16_384
const NODE_TIMEOUT_MS = 2_000

export type TestCluster = { url: string; nodes: TestRedis[]; stop(): Promise<void> }

export async function startCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'channel-feed-redis-'))
  const nodes: TestRedis[] = []
  for (let i = 0; i < 3; i++) {
    const own = ['--dir', folder, '--cluster-config-file', `nodes-${i}.conf`]
    const bus = [
      '--cluster-port',
      String(await freePort()),
      '--cluster-node-timeout',
      String(NODE_TIMEOUT_MS),
    ]
    nodes.push(await startRedis(['--cluster-enabled', 'yes', ...own, ...bus]))
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
  return {
    url: nodes[0]?.url ?? '',
    nodes,
    async stop() {
      for (const node of nodes) await node.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
