// A Redis cluster of three masters. Each announces a link in front of it, so that instances never reach it past the link.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import slotOf from 'cluster-key-slot'
import { Redis } from 'ioredis'
import { freePort } from '../../support/ports.ts'
import { type Link, startLink } from '../net/link.ts'
import { until } from '../wait.ts'
import type { Supervisor } from './supervisor.ts'

const SLOTS = 16_384
const NODES = 3
/** A partition in a run cuts clients only; the nodes' own connections stay. */
const NODE_TIMEOUT_MS = 2_000

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>
type Node = { port: number; bus_port: number; link: Link; client: Redis }

export async function startRedisCluster(supervisor: Supervisor) {
  const folder = await mkdtemp(join(tmpdir(), 'channel-feed-redis-'))
  const nodes: Node[] = []
  for (let i = 0; i < NODES; i++) nodes.push(await startNode(supervisor, folder, i))
  const share = Math.ceil(SLOTS / NODES)
  for (const [i, node] of nodes.entries()) {
    await node.client.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min(SLOTS, (i + 1) * share) - 1)
    for (const { port, bus_port } of nodes.filter(other => other !== node))
      await node.client.call('CLUSTER', 'MEET', '127.0.0.1', port, bus_port)
  }
  await until(async () => {
    const states = await Promise.all(nodes.map(({ client }) => client.cluster('INFO')))
    return states.every(state =>
      new RegExp(`cluster_state:ok[\\s\\S]*cluster_known_nodes:${NODES}`).test(String(state)),
    )
  }, 'the Redis cluster is whole')
  return {
    links: nodes.map(({ link }) => link),
    /** Moves the slot of each topic to the next node. Returns how many of these topics are heard there later. */
    async moveTopics(): Promise<() => Promise<number>> {
      const lists = await Promise.all(nodes.map(topicsOf))
      const moves = lists.flatMap((topics, i) =>
        topics.map(topic => ({ topic, from: nodes[i], to: nodes[(i + 1) % NODES] })),
      )
      for (const { topic, from, to } of moves) if (from && to) await moveSlot(slotOf(topic), from, to, nodes)
      return async () => {
        const heard = await Promise.all(
          moves.map(async ({ topic, to }) => to && (await topicsOf(to)).includes(topic)),
        )
        return heard.filter(Boolean).length
      }
    },
    async end(): Promise<void> {
      for (const { client, link } of nodes) {
        client.disconnect()
        await link.end()
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function topicsOf({ client }: Node): Promise<string[]> {
  const topics = await client.pubsub('SHARDCHANNELS')
  return topics.map(String)
}

/** No keys are in it. */
async function moveSlot(slot: number, from: Node, to: Node, nodes: Node[]): Promise<void> {
  const [from_id, to_id] = await Promise.all([from, to].map(({ client }) => client.cluster('MYID')))
  await to.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(from_id))
  await from.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(to_id))
  for (const { client } of [to, from, ...nodes])
    await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(to_id))
}

async function startNode(supervisor: Supervisor, folder: string, i: number): Promise<Node> {
  const [port, bus_port] = [await freePort(), await freePort()]
  const link = await startLink({ port })
  const settings = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    dir: folder,
    'cluster-enabled': 'yes',
    'cluster-config-file': `nodes-${i}.conf`,
    'cluster-port': bus_port,
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    'cluster-announce-port': link.port,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = await supervisor.start({ name: `redis-${i}`, command: ['redis-server', ...flags] })
  await child.line(/Ready to accept connections/)
  const client = new Redis({ port, protocol: 2, retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  return { port, bus_port, link, client }
}
