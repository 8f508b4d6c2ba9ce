// Sends what is queued: per channel in order and one at a time, channels beside each other.
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import { type AttemptOptions, type AttemptResult, attempt } from './deliver.ts'

/** A delivery that this instance is to send, now and once. `secrets`: all that sign, the present one first. */
export type Claimed = {
  id: string
  /** Names the claim. */
  claim: string
  channel_id: string
  interaction_id: string
  url: string
  body: string
  secrets: string[]
}

/** What the queue asks of the rows; model/delivery-queue.ts answers. */
export type QueueRows = {
  claim(sql: Sql, claim: string, limit: number, busy: readonly string[]): Promise<Claimed[]>
  putBack(sql: Sql, claim: string): Promise<void>
  markSent(sql: Sql, claimed: Claimed): Promise<boolean>
  finish(sql: Sql, claimed: Claimed, result: AttemptResult): Promise<void>
  giveUpLostClaims(sql: Sql): Promise<void>
}

export type WebhookQueueDeps = Pick<AttemptOptions, 'private_networks' | 'head_timeout_ms'> & {
  sql: Sql
  rows: QueueRows
  log: Logger
}

/** Places for deliveries on their way. One receiver has a quarter of them, however many channels it serves. */
const AT_ONCE_MAX = 256
const AT_ONCE_A_HOST = AT_ONCE_MAX / 4
/** What another instance accepted and could not send is found by looking. */
const LOOK_MS = 2_000
/** How long a stop waits for receivers. */
const STOP_MS = 5_000
const FINISH_TRIES = 20
const FINISH_PAUSE_MS = 500

export class WebhookQueue {
  readonly #deps: WebhookQueueDeps
  readonly #timer: NodeJS.Timeout
  readonly #running = new Set<Promise<unknown>>()
  readonly #hosts = new Map<string, number>()
  /** Claims whose answer was lost. */
  readonly #lost = new Set<string>()
  readonly #ending = new AbortController()
  #claiming: Promise<void> | null = null
  #again = false
  #stopped = false

  constructor(deps: WebhookQueueDeps) {
    this.#deps = deps
    setMaxListeners(AT_ONCE_MAX, this.#ending.signal)
    this.#timer = setInterval(() => {
      deps.rows
        .giveUpLostClaims(deps.sql)
        .catch(error => deps.log.debug({ err: error }, 'no look at lost claims'))
      this.wake()
    }, LOOK_MS)
  }

  /** Something was queued, or a channel's turn has come. */
  wake(): void {
    if (this.#stopped) return
    if (this.#claiming) {
      this.#again = true
      return
    }
    this.#claiming = this.#claim()
      .catch(error => this.#deps.log.warn({ err: error }, 'could not claim deliveries'))
      .finally(() => {
        this.#claiming = null
        if (!this.#again) return
        this.#again = false
        this.wake()
      })
  }

  /** Sends one that was claimed past the queue, and keeps the result. */
  sendNow(claimed: Claimed): Promise<void> {
    return this.#track(this.#send(claimed))
  }

  /** Takes no more, and waits for what is being sent; what takes too long is closed as interrupted. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#claiming
    const limit = setTimeout(() => this.#ending.abort(), STOP_MS)
    await Promise.all(this.#running)
    clearTimeout(limit)
  }

  async #claim(): Promise<void> {
    const { rows, sql } = this.#deps
    for (const lost of this.#lost) {
      await rows.putBack(sql, lost)
      this.#lost.delete(lost)
    }
    const counts = [...this.#hosts]
    const busy = counts.filter(([, count]) => count >= AT_ONCE_A_HOST).map(([host]) => host)
    const others = counts.map(([, count]) => count).filter(count => count < AT_ONCE_A_HOST)
    // All that is claimed may be for the host that has the most already.
    const free = Math.min(AT_ONCE_MAX - this.#running.size, AT_ONCE_A_HOST - Math.max(0, ...others))
    if (free <= 0) return
    const claim = randomUUID()
    const claimed = await rows.claim(sql, claim, free, busy).catch(error => {
      this.#lost.add(claim)
      throw error
    })
    if (this.#stopped) return rows.putBack(sql, claim)
    for (const one of claimed) {
      const { host } = new URL(one.url)
      this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1)
      void this.#track(this.#send(one)).finally(() => {
        const left = (this.#hosts.get(host) ?? 1) - 1
        if (left > 0) this.#hosts.set(host, left)
        else this.#hosts.delete(host)
        this.wake()
      })
    }
    if (claimed.length === free) this.#again = true
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    return work.finally(() => this.#running.delete(work))
  }

  async #send(claimed: Claimed): Promise<void> {
    const { rows, sql, log, private_networks, head_timeout_ms } = this.#deps
    const result = await attempt(claimed, {
      private_networks,
      head_timeout_ms,
      signal: this.#ending.signal,
      mark: () => rows.markSent(sql, claimed),
    })
    // Nothing was sent, and nobody knows why not: it waits again once the claim has lapsed.
    if (!result) return
    for (let tries = 1; ; tries++) {
      try {
        return await rows.finish(sql, claimed, result)
      } catch (error) {
        // The claim stays, so nothing is sent again; the row is closed as interrupted if this never succeeds.
        if (tries === FINISH_TRIES) return log.error({ err: error }, 'a delivery could not be logged')
        await new Promise(resolve => setTimeout(resolve, FINISH_PAUSE_MS))
      }
    }
  }
}
