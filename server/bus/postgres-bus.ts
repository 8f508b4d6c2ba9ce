// The bus on PostgreSQL's LISTEN and NOTIFY, with one listening connection. Notices are sent in batches and without their
// turns, and never inside a write's transaction, because a commit with a NOTIFY takes a lock on the whole cluster.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { connect, type Sql } from '../database/connect.ts'
import { type Bus, type BusNotice, type BusOptions, notice, withoutTurn } from './bus.ts'

const TOPIC = 'channel_feed'
/** A payload must have less than 8,000 bytes, and a notice has less than 150. */
const NOTICES_MAX = 40
const BATCH_MS = 5
const CHECK_MS = 1_000
const RETRY_MS = 250
/** A dead connection reports no error. So it must receive the instance's own notices within this time. */
const ECHO_MS = 3_000
/** Each instance sends something every second. One that wasn't heard for this long is gone. */
const HEARD_MS = 30_000
/** So many documents' notices are kept for an instance that is about to be heard. */
const KEPT_MAX = 1_000

const payload = z.object({ from: z.string(), notices: z.array(notice) })

export async function startPostgresBus(options: BusOptions): Promise<Bus> {
  const bus = new PostgresBus(options)
  await bus.start()
  return bus
}

class PostgresBus implements Bus {
  readonly #options: BusOptions
  readonly #instance = randomUUID()
  #grown = new Map<string, BusNotice>()
  #others: BusNotice[] = []
  #flushing: NodeJS.Timeout | null = null
  #listener: Sql | null = null
  #connected = false
  /** Whether notices pass the pooler. One in transaction mode takes LISTEN and sends none. Null: not known yet. */
  #passes: boolean | null = null
  #echo_at = 0
  /** When another instance was last heard. */
  #heard_at = Number.NEGATIVE_INFINITY
  #stopping = false
  #checks: NodeJS.Timeout | undefined
  #checking: Promise<void> | null = null

  constructor(options: BusOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    if (this.#pooled) this.#options.events.gap(false)
    await this.#listen()
    await this.#send([])
    this.#checks = setInterval(() => {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = null
      })
    }, CHECK_MS)
  }

  get connected(): boolean {
    return this.#connected
  }

  publish(notice: BusNotice): void {
    this.#queue(notice)
    // A document's notice can wait until there is another instance.
    if (notice.kind !== 'grown' || !this.#alone) this.#flushSoon()
    else if (this.#grown.size > KEPT_MAX) this.#grown.clear()
  }

  watch(): () => void {
    return () => {}
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#checks)
    await this.#checking
    if (this.#flushing) {
      clearTimeout(this.#flushing)
      await this.#flush()
    }
    await this.#disconnect()
  }

  get #pooled(): boolean {
    const { target } = this.#options
    return 'url' in target && target.pooled === true
  }

  get #alone(): boolean {
    return performance.now() - this.#heard_at > HEARD_MS
  }

  #flushSoon(): void {
    this.#flushing ??= setTimeout(() => void this.#flush(), BATCH_MS)
  }

  #queue(notice: BusNotice): void {
    if (notice.kind === 'grown') this.#grown.set(notice.channel_id, withoutTurn(notice))
    else this.#others.push(notice)
  }

  async #flush(): Promise<void> {
    this.#flushing = null
    const notices = [...this.#others, ...this.#grown.values()]
    this.#others = []
    this.#grown = new Map()
    for (let i = 0; i < notices.length; i += NOTICES_MAX) {
      try {
        await this.#send(notices.slice(i, i + NOTICES_MAX))
      } catch (error) {
        this.#options.log.warn({ err: error }, 'could not notify the other instances yet')
        // Newer notices come last, because they replace those of the same channel.
        const newer = [...this.#grown.values()]
        for (const unsent of [...notices.slice(i), ...newer]) this.#queue(unsent)
        if (!this.#stopping) this.#flushing ??= setTimeout(() => void this.#flush(), RETRY_MS)
        return
      }
    }
  }

  async #send(notices: BusNotice[]): Promise<void> {
    const { sql } = this.#options
    await sql`select pg_notify(${TOPIC}, ${JSON.stringify({ from: this.#instance, notices })})`
  }

  #receive(text: string): void {
    const parsed = payload.safeParse(readJson(text))
    if (!parsed.success) return this.#options.log.warn('ignored a notice of another version')
    if (parsed.data.from === this.#instance) {
      this.#echo_at = performance.now()
      this.#passes = true
      this.#setConnected()
      return
    }
    // A new instance has listened since shortly before it was first heard.
    if (this.#alone && this.#grown.size > 0) this.#flushSoon()
    this.#heard_at = performance.now()
    for (const notice of parsed.data.notices) this.#options.events.receive(notice)
  }

  async #listen(): Promise<void> {
    const listener = connect(this.#options.target, { max: 1 })
    let reconnected = false
    try {
      await listener.listen(
        TOPIC,
        text => this.#receive(text),
        () => {
          // The driver reconnects by itself, and does not report what it missed.
          if (reconnected && this.#listener === listener) this.#reportGap()
          reconnected = true
        },
      )
    } catch (error) {
      await listener.end({ timeout: 0 })
      throw error
    }
    this.#listener = listener
    this.#echo_at = performance.now()
    if (!this.#pooled) this.#setConnected()
  }

  #setConnected(): void {
    if (this.#connected || !this.#listener) return
    this.#connected = true
    this.#options.events.gap(true)
  }

  #reportGap(): void {
    this.#options.log.info('the connection to the other instances was cut, and is back')
    this.#echo_at = performance.now()
    this.#options.events.gap(false)
    this.#options.events.gap(true)
  }

  async #disconnect(): Promise<void> {
    const listener = this.#listener
    this.#listener = null
    this.#connected = false
    await listener?.end({ timeout: 1 })
  }

  async #check(): Promise<void> {
    try {
      if (this.#listener && performance.now() - this.#echo_at > ECHO_MS) {
        if (this.#pooled) this.#passes ??= false
        if (this.#passes === false) this.#options.log.info('notices do not pass this pooler: polling the log')
        else
          this.#options.log.warn(
            'the connection to the other instances is down: polling the log until it is back',
          )
        await this.#disconnect()
      }
      if (!this.#listener && this.#passes !== false) {
        this.#options.events.gap(false)
        await this.#listen()
        this.#options.log.info('the connection to the other instances is back')
      }
      await this.#send([])
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the bus is down')
    }
  }
}

/** Anyone with access to the database can notify, so the payload may be anything. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
