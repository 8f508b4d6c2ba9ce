// The bus on Redis: publish and subscribe, a topic for each channel, with the updates themselves, so that who hears
// one need not read it from PostgreSQL. An instance subscribes only to what it has in hand.
// PostgreSQL's bus stays beside it: access changes go by both, and doorbells while Redis is out of reach, since
// those who still hear Redis cannot know that this instance does not. Nothing waits for Redis.
import { createHmac, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { ConnectTarget, Sql } from '../database/connect.ts'
import type { Bus, BusEvents, ChannelNotice, Notice } from './bus.ts'
import { startPostgresBus } from './postgres-bus.ts'
import { openRedisLine, type RedisLine, reasonOf } from './redis-line.ts'
import { decodeMessage, encodeMessage } from './redis-message.ts'

/** A larger update is read from the log: Redis cuts off who does not take what piles up for it. */
const UPDATE_MAX_BYTES = 256 * 1024
/** Past this much on its way, what is told goes as doorbells through PostgreSQL. */
const UNDERWAY_MAX_BYTES = 8 * 1024 * 1024
const CHECK_MS = 1_000
/** After a cut, the first attempt. */
const REOPEN_MS = 50
const LAST_WORDS_MS = 500

export type RedisBusOptions = {
  url: string
  /** The service's own: part of the topics' names, so that services on one Redis do not hear each other. */
  secret: string
  sql: Sql
  target: ConnectTarget
  events: BusEvents
  log: Logger
}

/** Does not fail where Redis is out of reach: it is tried again every second, and the log is polled meanwhile. */
export async function startRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { url, sql, events, log } = options
  const self = randomUUID()
  const topics = await nameTopics(sql, options.secret)
  /** Channel → how many ask for it. */
  const watched = new Map<string, number>()
  const underway = new Set<Promise<void>>()
  let underway_bytes = 0
  const waiting: Notice[] = []
  let sending: NodeJS.Immediate | null = null
  const joined: string[] = []
  let line: RedisLine | null = null
  let connected = false
  /** A cluster's nodes, as last seen. */
  let urls: string[] = []
  let stopping = false
  let reopening: NodeJS.Timeout | null = null

  const postgres = await startPostgresBus(
    sql,
    options.target,
    { heard: events.heard, gap: () => events.gap(connected), watching: () => {} },
    log,
  )

  function hear(_: string, message: Buffer): void {
    const notices = decodeMessage(self, message)
    if (notices === 'unknown') return log.warn('a notice of another version was ignored')
    for (const heard of notices ?? []) events.heard(heard)
  }

  function send(): void {
    sending = null
    const told = new Map<string, Notice[]>()
    for (const notice of waiting.splice(0)) {
      const topic = isOfChannel(notice) ? topics.ofChannel(notice.channel_id) : topics.all
      const others = told.get(topic)
      if (others) others.push(notice)
      else told.set(topic, [notice])
    }
    for (const [topic, notices] of told) {
      const publishing = publish(topic, notices)
      underway.add(publishing)
      void publishing.finally(() => underway.delete(publishing))
    }
  }

  async function publish(topic: string, notices: Notice[]): Promise<void> {
    const message = encodeMessage(self, notices.map(small))
    if (!line || underway_bytes > UNDERWAY_MAX_BYTES) return notices.forEach(postgres.tell)
    underway_bytes += message.length
    try {
      await line.publish(topic, message)
    } catch (error) {
      log.debug({ why: reasonOf(error) }, 'not published')
      // It may have been heard, or not.
      notices.forEach(postgres.tell)
    } finally {
      underway_bytes -= message.length
    }
  }

  async function open(at: string): Promise<void> {
    let fresh: RedisLine | null = null
    fresh = await openRedisLine(at, { heard: hear, ended: why => fresh && line === fresh && lost(why) })
    line = fresh
    if (fresh.urls.length > 0) urls = fresh.urls
    try {
      await fresh.subscribe([topics.all, ...[...watched.keys()].map(topics.ofChannel)])
      // Who may not publish must not think that others hear.
      await fresh.publish(topics.nobody, Buffer.alloc(0))
    } catch (error) {
      if (line === fresh) lost(reasonOf(error))
      throw error
    }
    // It may have ended meanwhile.
    if (line !== fresh) throw new Error('cut again')
    connected = true
    events.gap(true)
  }

  /** The node that the URL names, or another of its cluster. */
  async function openAny(): Promise<void> {
    const refusals: string[] = []
    for (const at of [url, ...urls.filter(other => other !== url)]) {
      try {
        return await open(at)
      } catch (error) {
        refusals.push(reasonOf(error))
      }
    }
    throw new Error(refusals[0])
  }

  function lost(why: string): void {
    line?.close()
    line = null
    if (!connected) return
    connected = false
    log.warn({ why }, 'Redis is out of reach: polling the log until it is back')
    events.gap(false)
    if (!stopping) reopening = setTimeout(checkOnce, REOPEN_MS)
  }

  async function check(): Promise<void> {
    const checked = line
    try {
      if (checked) return void (await checked.ping())
      await openAny()
      log.info('Redis is back')
    } catch (error) {
      if (checked && line === checked) lost(reasonOf(error))
      else log.debug({ why: reasonOf(error) }, 'Redis is out of reach')
    }
  }

  let checking: Promise<void> | null = null
  function checkOnce(): void {
    checking ??= check().finally(() => {
      checking = null
    })
  }

  function join(channel_id: string): void {
    const asked = line
    asked?.subscribe([topics.ofChannel(channel_id)]).then(
      () => {
        if (joined.length === 0) setImmediate(() => events.watching(joined.splice(0)))
        joined.push(channel_id)
      },
      error => line === asked && lost(reasonOf(error)),
    )
  }

  await openAny().catch(error => {
    log.warn({ why: reasonOf(error) }, 'REDIS_URL: Redis is out of reach: polling the log until it is back')
    events.gap(false)
  })
  const checks = setInterval(checkOnce, CHECK_MS)

  return {
    get connected() {
      return connected
    },
    tell(told) {
      if (!connected || !isOfChannel(told)) postgres.tell(told)
      if (!connected) return
      waiting.push(told)
      sending ??= setImmediate(send)
    },
    watch(channel_id) {
      const others = watched.get(channel_id) ?? 0
      watched.set(channel_id, others + 1)
      if (others === 0) join(channel_id)
      let asks = true
      return () => {
        if (!asks) return
        asks = false
        const left = (watched.get(channel_id) ?? 0) - 1
        if (left > 0) return void watched.set(channel_id, left)
        watched.delete(channel_id)
        line?.unsubscribe(topics.ofChannel(channel_id))
      }
    },
    async stop() {
      stopping = true
      clearInterval(checks)
      if (reopening) clearTimeout(reopening)
      await checking
      if (sending) {
        clearImmediate(sending)
        send()
      }
      await Promise.race([Promise.all(underway), new Promise(resolve => setTimeout(resolve, LAST_WORDS_MS))])
      connected = false
      line?.close()
      line = null
      await Promise.all(underway)
      await postgres.stop()
    },
  }
}

function isOfChannel(notice: Notice): notice is ChannelNotice {
  return notice.kind === 'grown' || notice.kind === 'interacted'
}

function small(notice: Notice): Notice {
  if (notice.kind !== 'grown' || !notice.turn || notice.turn.update.length <= UPDATE_MAX_BYTES) return notice
  const { turn: _, ...bell } = notice
  return bell
}

/** Named after the database and the secret: a copy of the database on the same Redis is another service. */
async function nameTopics(sql: Sql, secret: string) {
  const [row] = await sql<{ name: string }[]>`
    select system_identifier || ' ' || current_database() as name from pg_control_system()`
  if (!row) throw new Error('a select without from has one row')
  const name = createHmac('sha256', secret).update(`redis ${row.name}`).digest('hex').slice(0, 16)
  const prefix = `channel-feed:${name}`
  return {
    all: `${prefix}:all`,
    nobody: `${prefix}:nobody`,
    ofChannel: (channel_id: string) => `${prefix}:channel:${channel_id}`,
  }
}
