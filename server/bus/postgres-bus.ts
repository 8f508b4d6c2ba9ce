// The bus on PostgreSQL's LISTEN and NOTIFY: a doorbell, sent in batches and never inside a write's own
// transaction (a commit with a NOTIFY takes a lock over the whole cluster). One listening connection.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type ConnectTarget, connect, type Sql } from '../database/connect.ts'
import { type Bus, type BusEvents, type Notice, notice } from './bus.ts'

const TOPIC = 'channel_feed'
/** A payload must stay below 8,000 bytes; a notice takes less than 150. */
const NOTICES_MAX = 40
const BATCH_MS = 5
const CHECK_MS = 1_000
/** Notices that could not be sent are sent again after this time. */
const RETRY_MS = 250
/** Our own notices must come back within this time, or the line counts as dead. */
const ECHO_MS = 3_000

const payload = z.object({ from: z.string(), notices: z.array(notice) })

export async function startPostgresBus(
  sql: Sql,
  target: ConnectTarget,
  events: BusEvents,
  log: Logger,
): Promise<Bus> {
  const self = randomUUID()
  /** The latest growth of each channel, and everything else in order. */
  let grown = new Map<string, Notice>()
  let others: Notice[] = []
  let timer: NodeJS.Timeout | null = null
  let line: Sql | null = null
  let echoed = 0
  let connected = false
  let stopping = false

  async function send(notices: Notice[]): Promise<void> {
    await sql`select pg_notify(${TOPIC}, ${JSON.stringify({ from: self, notices })})`
  }

  async function flush(): Promise<void> {
    timer = null
    const notices = [...others, ...grown.values()]
    others = []
    grown = new Map()
    for (let i = 0; i < notices.length; i += NOTICES_MAX) {
      try {
        await send(notices.slice(i, i + NOTICES_MAX))
      } catch (error) {
        log.warn({ err: error }, 'could not notify other instances yet')
        const told = [...grown.values()]
        for (const unsent of notices.slice(i)) queue(unsent)
        for (const newer of told) queue(newer)
        if (!stopping) timer ??= setTimeout(() => void flush(), RETRY_MS)
        return
      }
    }
  }

  function queue(told: Notice): void {
    if (told.kind !== 'grown') return void others.push(told)
    // A doorbell: who hears it reads the log.
    const { turn: _, ...bell } = told
    grown.set(told.channel_id, bell)
  }

  function hear(text: string): void {
    const parsed = payload.safeParse(readJson(text))
    if (!parsed.success) return log.warn('a notice of another version was ignored')
    if (parsed.data.from === self) {
      echoed = performance.now()
      return
    }
    for (const heard of parsed.data.notices) events.heard(heard)
  }

  async function open(): Promise<void> {
    const fresh = connect(target, { max: 1 })
    let again = false
    try {
      await fresh.listen(TOPIC, hear, () => {
        // The driver connects again by itself, and says nothing of what it missed meanwhile.
        if (again && line === fresh) missed()
        again = true
      })
    } catch (error) {
      await fresh.end({ timeout: 0 })
      throw error
    }
    line = fresh
    echoed = performance.now()
    connected = true
    events.gap(true)
  }

  function missed(): void {
    log.info('the line to other instances was cut, and is back')
    echoed = performance.now()
    events.gap(false)
    events.gap(true)
  }

  async function close(): Promise<void> {
    const dead = line
    line = null
    connected = false
    await dead?.end({ timeout: 1 })
  }

  /** A listening connection does not say that it died, so we listen for our own voice. */
  async function check(): Promise<void> {
    try {
      if (line && performance.now() - echoed > ECHO_MS) {
        log.warn('the line to other instances is down: polling the log until it is back')
        await close()
      }
      if (!line) {
        events.gap(false)
        await open()
        log.info('the line to other instances is back')
      }
      await send([])
    } catch (error) {
      log.debug({ err: error }, 'the bus is down')
    }
  }

  await open()
  let checking: Promise<void> | null = null
  const checks = setInterval(() => {
    checking ??= check().finally(() => {
      checking = null
    })
  }, CHECK_MS)

  return {
    get connected() {
      return connected
    },
    tell(told) {
      queue(told)
      timer ??= setTimeout(() => void flush(), BATCH_MS)
    },
    // All is heard by all.
    watch: () => () => {},
    async stop() {
      stopping = true
      clearInterval(checks)
      await checking
      if (timer) {
        clearTimeout(timer)
        await flush()
      }
      await close()
    },
  }
}

/** Anyone who may use the database may notify: what is not JSON is as good as unknown. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
