// One line to Redis: a connection that publishes and one that listens. It never comes back by itself: when either
// ends the line is dead, and the bus opens another. Nothing waits in it while it is down.
import { Redis, type RedisOptions } from 'ioredis'

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
  close(): void
}

export type RedisLineEvents = {
  heard: (topic: string, message: Buffer) => void
  /** Once, unless it was closed from here. */
  ended: (why: string) => void
}

/** Rejects where Redis cannot be reached or refuses us. */
export async function openRedisLine(url: string, events: RedisLineEvents): Promise<RedisLine> {
  const publisher = new Redis(url, OPTIONS)
  const listener = new Redis(url, OPTIONS)
  let why = 'the connection was closed'
  let open = true
  for (const connection of [publisher, listener]) {
    connection.on('error', error => {
      why = reasonOf(error)
    })
    connection.on('end', () => end(() => events.ended(why)))
  }
  listener.on('messageBuffer', (topic: Buffer, message: Buffer) => events.heard(topic.toString(), message))

  function end(then: () => void): void {
    if (!open) return
    open = false
    publisher.disconnect()
    listener.disconnect()
    then()
  }

  const line: RedisLine = {
    publish: (topic, message) => publisher.publish(topic, message),
    async subscribe(topics) {
      for (let from = 0; from < topics.length; from += TOPICS_AT_ONCE)
        await listener.subscribe(...topics.slice(from, from + TOPICS_AT_ONCE))
    },
    unsubscribe(topic) {
      listener.unsubscribe(topic).catch(() => {})
    },
    close: () => end(() => {}),
  }
  try {
    await Promise.all([publisher.connect(), listener.connect()])
    // A refusal (a wrong password, no right to publish) is not one of connecting.
    await publisher.ping()
    return line
  } catch (error) {
    const unreachable = why !== 'the connection was closed'
    line.close()
    throw new Error(unreachable ? why : reasonOf(error))
  }
}

/** The message alone: the driver's errors carry the command, and that of a refused AUTH the password. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}
