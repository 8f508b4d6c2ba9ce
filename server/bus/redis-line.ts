// One line to Redis: for each node a connection that publishes and one that listens. On a cluster that is sharded
// publish and subscribe: a message stays on the node that serves its topic's slot. The line never comes back by itself:
// when a connection ends or a slot moves it is dead, and the bus opens another. Nothing waits in it while it is down.
import { Redis, type RedisOptions } from 'ioredis'
import { z } from 'zod'

const CONNECT_MS = 2_000
const ANSWER_MS = 3_000
/** Topics in one SUBSCRIBE. */
const TOPICS_AT_ONCE = 500
const SLOTS = 16_384

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
type Node = { publisher: Redis; listener: Redis; serves: (slot: number) => boolean }

/** Rejects where Redis cannot be reached or refuses us. */
export async function openRedisLine(url: string, events: RedisLineEvents): Promise<RedisLine> {
  const connections = new Set<Redis>()
  let why = ''
  let open = true

  async function connect(at: string): Promise<Redis> {
    const connection = new Redis(at, OPTIONS)
    connections.add(connection)
    connection.on('error', error => {
      why = reasonOf(error)
    })
    connection.on('end', () => connections.has(connection) && end(() => events.ended(why)))
    connection.on('moved', () => end(() => events.ended('a slot has moved')))
    await connection.connect()
    // A refusal (a wrong password) is not one of connecting.
    await connection.ping()
    return connection
  }

  function end(then: () => void): void {
    if (!open) return
    open = false
    why ||= 'the connection was closed'
    for (const connection of connections) connection.disconnect()
    then()
  }

  async function openNode(at: string, serves: Node['serves'], known?: Redis): Promise<Node> {
    const publisher = known ?? (await connect(at))
    const listener = await connect(at)
    const hear = (topic: Buffer, message: Buffer) => events.heard(topic.toString(), message)
    listener.on('messageBuffer', hear)
    listener.on('smessageBuffer', hear)
    return { publisher, listener, serves }
  }

  try {
    const first = await connect(url)
    const shards = await shardsOf(first, url)
    if (!shards) {
      const { publisher, listener } = await openNode(url, () => true, first)
      return {
        publish: (topic, message) => publisher.publish(topic, message),
        async subscribe(topics) {
          for (let from = 0; from < topics.length; from += TOPICS_AT_ONCE)
            await listener.subscribe(...topics.slice(from, from + TOPICS_AT_ONCE))
        },
        unsubscribe: topic => void listener.unsubscribe(topic).catch(() => {}),
        ping: () => Promise.all([publisher.ping(), listener.ping()]),
        close: () => end(() => {}),
        urls: [],
      }
    }
    const nodes = await Promise.all([...shards].map(([at, serves]) => openNode(at, serves)))
    connections.delete(first)
    first.disconnect()
    const nodeOf = (topic: string): Node => {
      const slot = slotOf(topic)
      const node = nodes.find(({ serves }) => serves(slot))
      if (!node) throw new Error(`no node serves slot ${slot}`)
      return node
    }
    /** A refusal means that the cluster is not what it was. */
    const orEnd = (error: unknown): never => {
      if (/^(MOVED|ASK|CLUSTERDOWN|READONLY)/.test(reasonOf(error))) end(() => events.ended(reasonOf(error)))
      throw error
    }
    return {
      publish: async (topic, message) => nodeOf(topic).publisher.spublish(topic, message).catch(orEnd),
      // One by one: those of one command must be of one slot.
      subscribe: async topics =>
        void (await Promise.all(topics.map(topic => nodeOf(topic).listener.ssubscribe(topic))).catch(orEnd)),
      unsubscribe: topic =>
        void nodeOf(topic)
          .listener.sunsubscribe(topic)
          .catch(() => {}),
      ping: () =>
        Promise.all(nodes.flatMap(({ publisher, listener }) => [publisher.ping(), listener.ping()])),
      close: () => end(() => {}),
      urls: [...shards.keys()],
    }
  } catch (error) {
    const reason = why || reasonOf(error)
    end(() => {})
    throw new Error(reason)
  }
}

const slotsReply = z.array(
  z
    .tuple([z.number(), z.number(), z.tuple([z.string().nullable(), z.number()]).rest(z.unknown())])
    .rest(z.unknown()),
)

/** A cluster's masters by URL; null where the server is none, or does not tell. */
async function shardsOf(redis: Redis, url: string): Promise<Map<string, Node['serves']> | null> {
  const reply = slotsReply.safeParse(await redis.cluster('SLOTS').catch(() => null))
  if (!reply.success) return null
  const ranges = new Map<string, [number, number][]>()
  for (const [from, to, [host, port]] of reply.data) {
    const at = new URL(url)
    if (host) at.hostname = host.includes(':') ? `[${host}]` : host
    at.port = String(port)
    ranges.set(at.href, [...(ranges.get(at.href) ?? []), [from, to]])
  }
  if (ranges.size === 0) throw new Error('the cluster serves no slots')
  return new Map(
    [...ranges].map(([at, served]) => [
      at,
      (slot: number) => served.some(([from, to]) => from <= slot && slot <= to),
    ]),
  )
}

/** CRC16 (XMODEM) of the name, as Redis Cluster's specification says; our topics have no hash tags. */
export function slotOf(topic: string): number {
  let crc = 0
  for (const byte of Buffer.from(topic)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  }
  return (crc & 0xffff) % SLOTS
}

/** The message alone: the driver's errors carry the command, and that of a refused AUTH the password. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}
