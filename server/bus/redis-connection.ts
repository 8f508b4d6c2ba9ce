// A connection to Redis: for each node one socket that publishes and one that subscribes. A cluster uses sharded publish
// and subscribe, where a message stays on the node of its topic's slot. A connection isn't repaired: when a socket
// closes or a slot moves, it ends, and the bus opens a new one.
import slotOf from 'cluster-key-slot'
import { Redis, type RedisOptions } from 'ioredis'
import { z } from 'zod'

const OPTIONS: RedisOptions = {
  lazyConnect: true,
  connectTimeout: 2_000,
  commandTimeout: 3_000,
  connectionName: 'channel-feed',
  protocol: 2,
  enableReadyCheck: false,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
}

export type RedisConnection = {
  publish(topic: string, message: Buffer): Promise<unknown>
  /** Resolves when the subscription is in place. */
  subscribe(topics: string[]): Promise<void>
  unsubscribe(topic: string): void
  ping(): Promise<unknown>
  close(): void
  /** The nodes of a cluster. */
  urls: string[]
}

export type RedisEvents = { receive: (message: Buffer) => void; ended: (why: string) => void }

type HasSlot = (slot: number) => boolean
type Node = { publisher: Redis; subscriber: Redis; hasSlot: HasSlot }

export async function openRedis(url: string, events: RedisEvents): Promise<RedisConnection> {
  const sockets = new Set<Redis>()
  let why = ''
  let state: 'opening' | 'open' | 'ended' = 'opening'

  async function connect(at: string): Promise<Redis> {
    if (state === 'ended') throw new Error('another socket failed')
    const socket = new Redis(at, OPTIONS)
    sockets.add(socket)
    socket.on('error', error => {
      why = reasonOf(error)
    })
    socket.on('end', () => sockets.has(socket) && end('the connection was closed'))
    socket.on('moved', () => end('a slot has moved'))
    await socket.connect()
    // A socket with a wrong password connects, and fails at its first command.
    await socket.ping()
    return socket
  }

  function close(): void {
    state = 'ended'
    for (const socket of sockets) socket.disconnect()
  }

  function end(reason: string): void {
    const was = state
    why ||= reason
    close()
    if (was === 'open') events.ended(why)
  }

  async function openNode(at: string, hasSlot: HasSlot): Promise<Node> {
    const publisher = await connect(at)
    const subscriber = await connect(at)
    const receive = (_topic: Buffer, message: Buffer) => events.receive(message)
    subscriber.on('messageBuffer', receive)
    subscriber.on('smessageBuffer', receive)
    return { publisher, subscriber, hasSlot }
  }

  try {
    const first = await connect(url)
    const shards = await readShards(first, url)
    const nodes = shards
      ? await Promise.all([...shards].map(([at, hasSlot]) => openNode(at, hasSlot)))
      : [await openNode(url, () => true)]
    sockets.delete(first)
    first.disconnect()
    state = 'open'
    return { ...commandsOn(nodes, shards !== null, end), close, urls: [...(shards?.keys() ?? [])] }
  } catch (error) {
    close()
    throw new Error(why || reasonOf(error))
  }
}

function commandsOn(nodes: Node[], sharded: boolean, end: (why: string) => void) {
  async function onNode<T>(topic: string, run: (node: Node) => Promise<T>): Promise<T> {
    const slot = slotOf(topic)
    const node = nodes.find(({ hasSlot }) => hasSlot(slot))
    if (!node) throw new Error(`no node has slot ${slot}`)
    try {
      return await run(node)
    } catch (error) {
      if (/^(MOVED|ASK|CLUSTERDOWN|READONLY)/.test(reasonOf(error))) end(reasonOf(error))
      throw error
    }
  }
  return {
    publish: (topic: string, message: Buffer) =>
      onNode(topic, ({ publisher }) =>
        sharded ? publisher.spublish(topic, message) : publisher.publish(topic, message),
      ),
    async subscribe(topics: string[]): Promise<void> {
      const subscribe = (topic: string) =>
        onNode(topic, ({ subscriber }) =>
          sharded ? subscriber.ssubscribe(topic) : subscriber.subscribe(topic),
        )
      // One command each, because the topics of a sharded command must share a slot.
      await Promise.all(topics.map(subscribe))
    },
    unsubscribe(topic: string): void {
      onNode(topic, ({ subscriber }) =>
        sharded ? subscriber.sunsubscribe(topic) : subscriber.unsubscribe(topic),
      ).catch(() => {})
    },
    ping: () =>
      Promise.all(nodes.flatMap(({ publisher, subscriber }) => [publisher.ping(), subscriber.ping()])),
  }
}

const hostAndPort = z.tuple([z.string().nullable(), z.number()]).rest(z.unknown())
const slotsReply = z.array(z.tuple([z.number(), z.number(), hostAndPort]).rest(z.unknown()))

/** A cluster's masters by URL; null if the server is not in a cluster, or forbids the command. */
async function readShards(redis: Redis, url: string): Promise<Map<string, HasSlot> | null> {
  const reply = slotsReply.safeParse(await redis.cluster('SLOTS').catch(() => null))
  if (!reply.success) return null
  const ranges = new Map<string, [number, number][]>()
  for (const [from, to, [host, port]] of reply.data) {
    const at = new URL(url)
    if (host) at.hostname = host.includes(':') ? `[${host}]` : host
    at.port = String(port)
    ranges.set(at.href, [...(ranges.get(at.href) ?? []), [from, to]])
  }
  if (ranges.size === 0) throw new Error('the cluster has no slots')
  const isIn = (ranges: [number, number][]) => (slot: number) =>
    ranges.some(([from, to]) => from <= slot && slot <= to)
  return new Map([...ranges].map(([at, ranges]) => [at, isIn(ranges)]))
}

/** Only the message: the driver's errors contain the command too, and that of a failed AUTH contains the password. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}
