// One line to Redis: for each node a connection that publishes and one that listens. On a cluster that is sharded
// publish and subscribe: a message stays on the node that serves its topic's slot. The line never comes back by itself:
// when a connection ends or a slot moves it is dead, and the bus opens another. Nothing waits in it while it is down.
import { Redis, type RedisOptions } from 'ioredis'
import { readShards, type Serves, slotOf } from './redis-shards.ts'

const CONNECT_MS = 2_000
const ANSWER_MS = 3_000
/** Topics in one SUBSCRIBE. */
const TOPICS_AT_ONCE = 500

const OPTIONS: RedisOptions = {
  lazyConnect: true,
  connectTimeout: CONNECT_MS,
  commandTimeout: ANSWER_MS,
  connectionName: 'channel-feed',
  // What every server since Redis 5 speaks, and its relatives.
  protocol: 2,
  enableReadyCheck: false,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
}

export type RedisLine = {
  publish(topic: string, message: Buffer): Promise<unknown>
  /** Resolves when what is published from now on is heard. */
  subscribe(topics: string[]): Promise<void>
  unsubscribe(topic: string): void
  /** Rejects where a connection does not answer. */
  ping(): Promise<unknown>
  close(): void
  /** Where else the line may be opened: a cluster's other nodes. */
  urls: string[]
}

export type RedisLineEvents = {
  heard: (topic: string, message: Buffer) => void
  /** Once, unless it was closed from here. */
  ended: (why: string) => void
}

/** A node and the slots it serves: all of them, where there is no cluster. */
type Node = { publisher: Redis; listener: Redis; serves: Serves }

/** Rejects where Redis cannot be reached or refuses us. */
export async function openRedisLine(url: string, events: RedisLineEvents): Promise<RedisLine> {
  const connections = new Set<Redis>()
  let why = ''
  let state: 'opening' | 'open' | 'dead' = 'opening'

  async function connect(at: string): Promise<Redis> {
    if (state === 'dead') throw new Error('another connection failed')
    const connection = new Redis(at, OPTIONS)
    connections.add(connection)
    connection.on('error', error => {
      why = reasonOf(error)
    })
    connection.on('end', () => connections.has(connection) && end('the connection was closed'))
    connection.on('moved', () => end('a slot has moved'))
    await connection.connect()
    // A refusal (a wrong password) is not one of connecting.
    await connection.ping()
    return connection
  }

  function close(): void {
    state = 'dead'
    for (const connection of connections) connection.disconnect()
  }

  function end(reason: string): void {
    const was = state
    why ||= reason
    close()
    if (was === 'open') events.ended(why)
  }

  async function openNode(at: string, serves: Serves, known?: Redis): Promise<Node> {
    const publisher = known ?? (await connect(at))
    const listener = await connect(at)
    const hear = (topic: Buffer, message: Buffer) => events.heard(topic.toString(), message)
    listener.on('messageBuffer', hear)
    listener.on('smessageBuffer', hear)
    return { publisher, listener, serves }
  }

  try {
    const first = await connect(url)
    const shards = await readShards(first, url)
    if (!shards) {
      const line = plainLine(await openNode(url, () => true, first))
      state = 'open'
      return { ...line, close }
    }
    const nodes = await Promise.all([...shards].map(([at, serves]) => openNode(at, serves)))
    connections.delete(first)
    first.disconnect()
    state = 'open'
    return { ...shardedLine(nodes, [...shards.keys()], end), close }
  } catch (error) {
    close()
    throw new Error(why || reasonOf(error))
  }
}

function plainLine({ publisher, listener }: Node): Omit<RedisLine, 'close'> {
  return {
    publish: (topic, message) => publisher.publish(topic, message),
    async subscribe(topics) {
      for (let from = 0; from < topics.length; from += TOPICS_AT_ONCE)
        await listener.subscribe(...topics.slice(from, from + TOPICS_AT_ONCE))
    },
    unsubscribe(topic) {
      listener.unsubscribe(topic).catch(() => {})
    },
    ping: () => Promise.all([publisher.ping(), listener.ping()]),
    urls: [],
  }
}

function shardedLine(nodes: Node[], urls: string[], end: (why: string) => void): Omit<RedisLine, 'close'> {
  async function at<T>(topic: string, ask: (node: Node) => Promise<T>): Promise<T> {
    const slot = slotOf(topic)
    const node = nodes.find(({ serves }) => serves(slot))
    if (!node) throw new Error(`no node serves slot ${slot}`)
    try {
      return await ask(node)
    } catch (error) {
      // The cluster is not what it was.
      if (/^(MOVED|ASK|CLUSTERDOWN|READONLY)/.test(reasonOf(error))) end(reasonOf(error))
      throw error
    }
  }
  return {
    publish: (topic, message) => at(topic, ({ publisher }) => publisher.spublish(topic, message)),
    async subscribe(topics) {
      // One by one: those of one command must be of one slot.
      await Promise.all(topics.map(topic => at(topic, ({ listener }) => listener.ssubscribe(topic))))
    },
    unsubscribe(topic) {
      at(topic, ({ listener }) => listener.sunsubscribe(topic)).catch(() => {})
    },
    ping: () => Promise.all(nodes.flatMap(({ publisher, listener }) => [publisher.ping(), listener.ping()])),
    urls,
  }
}

/** The message alone: the driver's errors carry the command, and that of a refused AUTH the password. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}
