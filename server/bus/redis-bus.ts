// The bus on Redis publish and subscribe, with a topic for each channel. Its notices contain the updates, so receivers
// need not read them from PostgreSQL. The PostgreSQL bus also runs: it carries access changes too, and all notices
// while Redis is unreachable, because instances that still reach Redis can't know that this one doesn't.
import { createHmac, randomUUID } from 'node:crypto'
import type { Sql } from '../database/connect.ts'
import { type Bus, type BusNotice, type BusOptions, type ChannelNotice, withoutTurn } from './bus.ts'
import { startPostgresBus } from './postgres-bus.ts'
import { openRedis, type RedisConnection, reasonOf } from './redis-connection.ts'
import { decodeMessage, encodeMessage } from './redis-message.ts'

/** Larger updates are read from the log, because Redis disconnects clients that fall too far behind. */
const UPDATE_MAX_BYTES = 256 * 1024
/** While more bytes than this are being sent, notices go through PostgreSQL. */
const SENDING_MAX_BYTES = 8 * 1024 * 1024
const CHECK_MS = 1_000
const RECONNECT_MS = 50
const STOP_MS = 500

/** `secret`: the service's own. It is part of the topics' names, so services that share a Redis don't share topics. */
type RedisBusOptions = BusOptions & { url: string; secret: string }

type Topics = Awaited<ReturnType<typeof nameTopics>>

/** Doesn't fail if Redis is unreachable: it tries again every second, and the log is polled meanwhile. */
export async function startRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { sql, secret, events } = options
  const topics = await nameTopics(sql, secret)
  let bus: RedisBus | null = null
  const gap = () => events.gap(bus?.connected ?? false)
  const postgres = await startPostgresBus({ ...options, events: { ...events, gap } })
  bus = new RedisBus(options, topics, postgres)
  await bus.start()
  return bus
}

class RedisBus implements Bus {
  readonly #options: RedisBusOptions
  readonly #topics: Topics
  readonly #postgres: Bus
  readonly #instance = randomUUID()
  readonly #watched = new Map<string, number>()
  readonly #newly_watched: string[] = []
  readonly #waiting: BusNotice[] = []
  #flushing: NodeJS.Immediate | null = null
  readonly #sending = new Set<Promise<void>>()
  #sending_bytes = 0
  #redis: RedisConnection | null = null
  connected = false
  #urls: string[] = []
  #stopping = false
  #reconnecting: NodeJS.Timeout | undefined
  #checks: NodeJS.Timeout | undefined
  #checking: Promise<void> | null = null

  constructor(options: RedisBusOptions, topics: Topics, postgres: Bus) {
    this.#options = options
    this.#topics = topics
    this.#postgres = postgres
  }

  async start(): Promise<void> {
    await this.#connect().catch(error => {
      this.#options.log.warn(
        { why: reasonOf(error) },
        'REDIS_URL: Redis is unreachable: polling the log until it is back',
      )
      this.#options.events.gap(false)
    })
    this.#checks = setInterval(() => this.#check(), CHECK_MS)
  }

  publish(notice: BusNotice): void {
    if (!this.connected || !isOfChannel(notice)) this.#postgres.publish(notice)
    if (!this.connected) return
    this.#waiting.push(notice)
    this.#flushing ??= setImmediate(() => this.#flush())
  }

  watch(channel_id: string): () => void {
    const others = this.#watched.get(channel_id) ?? 0
    this.#watched.set(channel_id, others + 1)
    if (others === 0) this.#subscribe(channel_id)
    let watching = true
    return () => {
      if (!watching) return
      watching = false
      const left = (this.#watched.get(channel_id) ?? 0) - 1
      if (left > 0) return void this.#watched.set(channel_id, left)
      this.#watched.delete(channel_id)
      this.#redis?.unsubscribe(this.#topics.ofChannel(channel_id))
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#checks)
    clearTimeout(this.#reconnecting)
    await this.#checking
    if (this.#flushing) {
      clearImmediate(this.#flushing)
      this.#flush()
    }
    await Promise.race([Promise.all(this.#sending), new Promise(resolve => setTimeout(resolve, STOP_MS))])
    this.connected = false
    this.#redis?.close()
    this.#redis = null
    await Promise.all(this.#sending)
    await this.#postgres.stop()
  }

  #receive(message: Buffer): void {
    const notices = decodeMessage(this.#instance, message)
    if (notices === 'unknown') return this.#options.log.warn('ignored a notice of another version')
    for (const notice of notices ?? []) this.#options.events.receive(notice)
  }

  #flush(): void {
    this.#flushing = null
    const batches = new Map<string, BusNotice[]>()
    for (const notice of this.#waiting.splice(0)) {
      const topic = isOfChannel(notice) ? this.#topics.ofChannel(notice.channel_id) : this.#topics.all
      const batch = batches.get(topic)
      if (batch) batch.push(notice)
      else batches.set(topic, [notice])
    }
    for (const [topic, notices] of batches) {
      const sending = this.#send(topic, notices)
      this.#sending.add(sending)
      void sending.finally(() => this.#sending.delete(sending))
    }
  }

  async #send(topic: string, notices: BusNotice[]): Promise<void> {
    const message = encodeMessage(this.#instance, notices.map(withoutLargeTurn))
    const sendByPostgres = () => {
      for (const notice of notices) this.#postgres.publish(notice)
    }
    if (!this.#redis || this.#sending_bytes > SENDING_MAX_BYTES) return sendByPostgres()
    this.#sending_bytes += message.length
    try {
      await this.#redis.publish(topic, message)
    } catch (error) {
      this.#options.log.debug({ why: reasonOf(error) }, 'could not publish to Redis')
      sendByPostgres()
    } finally {
      this.#sending_bytes -= message.length
    }
  }

  #subscribe(channel_id: string): void {
    const redis = this.#redis
    if (!redis) return
    redis.subscribe([this.#topics.ofChannel(channel_id)]).then(
      () => {
        if (this.#newly_watched.length === 0)
          setImmediate(() => this.#options.events.watching(this.#newly_watched.splice(0)))
        this.#newly_watched.push(channel_id)
      },
      error => this.#lost(redis, reasonOf(error)),
    )
  }

  async #connect(): Promise<void> {
    const reasons: string[] = []
    for (const url of new Set([this.#options.url, ...this.#urls])) {
      try {
        return await this.#connectTo(url)
      } catch (error) {
        reasons.push(reasonOf(error))
      }
    }
    throw new Error(reasons[0])
  }

  async #connectTo(url: string): Promise<void> {
    let opened: RedisConnection | null = null
    const redis = await openRedis(url, {
      receive: message => this.#receive(message),
      ended: why => opened && this.#lost(opened, why),
    })
    opened = redis
    this.#redis = redis
    if (redis.urls.length > 0) this.#urls = redis.urls
    try {
      await redis.subscribe([this.#topics.all, ...[...this.#watched.keys()].map(this.#topics.ofChannel)])
      // An instance that may not publish must not count as connected.
      await redis.publish(this.#topics.nobody, Buffer.alloc(0))
    } catch (error) {
      this.#lost(redis, reasonOf(error))
      throw error
    }
    if (this.#redis !== redis) throw new Error('the connection was lost again')
    this.connected = true
    this.#options.events.gap(true)
  }

  #lost(redis: RedisConnection, why: string): void {
    if (this.#redis !== redis) return
    redis.close()
    this.#redis = null
    if (!this.connected) return
    this.connected = false
    this.#options.log.warn({ why }, 'Redis is unreachable: polling the log until it is back')
    this.#options.events.gap(false)
    if (!this.#stopping) this.#reconnecting = setTimeout(() => this.#check(), RECONNECT_MS)
  }

  #check(): void {
    this.#checking ??= this.#pingOrConnect().finally(() => {
      this.#checking = null
    })
  }

  async #pingOrConnect(): Promise<void> {
    const redis = this.#redis
    try {
      if (redis) return void (await redis.ping())
      await this.#connect()
      this.#options.log.info('Redis is back')
    } catch (error) {
      if (redis && this.#redis === redis) this.#lost(redis, reasonOf(error))
      else this.#options.log.debug({ why: reasonOf(error) }, 'Redis is unreachable')
    }
  }
}

function isOfChannel(notice: BusNotice): notice is ChannelNotice {
  return notice.kind === 'grown' || notice.kind === 'interacted'
}

function withoutLargeTurn(notice: BusNotice): BusNotice {
  const large = notice.kind === 'grown' && notice.turn && notice.turn.update.length > UPDATE_MAX_BYTES
  return large ? withoutTurn(notice) : notice
}

/** The topics depend on the database and the secret, so a copy of the database on the same Redis has other topics. */
async function nameTopics(sql: Sql, secret: string) {
  const [row] = await sql<{ name: string }[]>`
    select system_identifier || ' ' || current_database() as name from pg_control_system()`
  if (!row) throw new Error('a select without a table returns a row')
  const name = createHmac('sha256', secret).update(`redis ${row.name}`).digest('hex').slice(0, 16)
  const prefix = `channel-feed:${name}`
  return {
    all: `${prefix}:all`,
    nobody: `${prefix}:nobody`,
    ofChannel: (channel_id: string) => `${prefix}:channel:${channel_id}`,
  }
}
